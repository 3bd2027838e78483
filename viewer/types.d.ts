// The types that several modules share. Nothing of this reaches the browser.

type Language = "en" | "ca" | "es";
type Words = { [code in Language]: string };

/** The scene stream, as the games write it; see `docs/scenes.md`. */
interface Scene {
  scene: number;
  game: string;
  title: string;
  rows: number;
  cols: number;
  rounds: number;
  seed: number;
  judged: boolean;
  names: string[];
  cpu: boolean;
  damage: string | null;
  ticks: number;
  seats: SeatColours[];
  drawings: Drawing[];
  cells: { name: Words; fill: string; drawing?: number }[];
  kinds: { name: Words; drawing: number; turns: boolean; layer: number }[];
  badges: { name: Words; drawing: number }[];
  overlays: { name: Words; drawing: number }[];
  facts: { name: Words }[];
  verbs: { name: Words }[];
  panel: { name: Words; style: "number" | "bar" | "decimal" }[];
  events: { name: Words; mark: boolean; effect: "strike" | "burst" | "flash" | "none" }[];
  moods: { name: Words; tint: string | null }[];
  help: Words;
  frames: Delta[];
  /** What players drew: round, seat, kind, colour, four numbers, and words. */
  drawn?: [number, number, number, number, number, number, number, number, string][];
}

/** Something that a player drew. */
type Shape = { seat: number; kind: number; colour: number; place: number[]; text: string };

type SeatColours = { colour: string; pale: string };
type Drawing = { layers: { d: string; fill?: string; stroke?: string; width?: number }[] };

/** The changes of one round; an absent key means "as before". */
interface Delta {
  /** Run lengths of the ground, in the first frame. */
  board?: number[];
  /** Changed cells. */
  c?: number[];
  /** Changed items. */
  i?: number[];
  /** Items that are gone. */
  g?: number[];
  /** Overlays. */
  o?: number[];
  /** Panel values of each seat. */
  p?: number[][];
  /** Scores. */
  s?: number[];
  /** Statuses. */
  u?: number[];
  /** Mood. */
  m?: number;
  /** Events. */
  e?: number[];
}

interface Item {
  id: number;
  kind: number;
  cell: number;
  /** -1 for nobody's. */
  seat: number;
  /** Clockwise from 0, up, to 7; -1 for none. */
  heading: number;
  /** Thousandths of the full life; -1 for none. */
  life: number;
  /** A set of bits. */
  badges: number;
  /** Of its last order, or -1. */
  verb: number;
  /** The heading of that order, or -1. */
  direction: number;
  /** Of that order: 0 no effect, 1 done, -1 unknown. */
  outcome: number;
  facts: number[];
}

/** The board after some rounds. */
interface Frame {
  round: number;
  cells: Uint8Array;
  items: Map<number, Item>;
  overlays: number[];
  panel: number[][];
  scores: number[];
  statuses: number[];
  mood: number;
  events: number[];
}

/** An item at a moment: columns and rows may be fractions. */
interface Placed {
  item: Item;
  column: number;
  row: number;
  alpha: number;
  /** How far it still is from its heading, in eighths of a circle. */
  turn: number;
}

interface Happening {
  round: number;
  kind: number;
  /** Whether it is one of those that decide a match. */
  key: boolean;
  seat: number;
  other: number;
  item: number;
  /** What the item was at the time, or -1. */
  itemKind: number;
  cell: number;
  value: number;
}

/** A picture and where it goes, relative to the top left corner of its cell. */
type Sprite = { picture: HTMLCanvasElement; x: number; y: number };

/** What the user points at. */
interface Look {
  /** The id of the item that is inspected, or -1. */
  chosen: number;
  /** Keep that item in the middle. */
  follow: boolean;
  /** The cell that is inspected, or -1. */
  cell: number;
  /** The cell under the pointer, or -1. */
  hover: number;
}

interface Settings {
  theme: "auto" | "light" | "dark";
  language: Language;
  /** Colours that colour-blind people can tell apart. */
  safe: boolean;
  animation: boolean;
  /** Bars of life. */
  life: boolean;
  effects: boolean;
  /** What players drew for their authors. */
  drawn: boolean;
}

/** What mouse, pen and fingers do, with positions in CSS pixels. */
interface Gestures {
  tap(x: number, y: number): void;
  pan(x: number, y: number): void;
  zoom(factor: number, x: number, y: number): void;
  hover(x: number, y: number): void;
  leave(): void;
}

type Camera = import("./camera.js").Camera;
type Clock = import("./clock.js").Clock;
type Palette = import("./palette.js").Palette;
type Sprites = import("./sprites.js").Sprites;
type Panels = {
  chart: import("./chart.js").Chart;
  log: import("./log.js").Log;
  controls: import("./controls.js").Controls;
  output: import("./output.js").Output;
};
type TextKey = import("./texts.js").TextKey;
type Action = import("./keys.js").Action;
type Point = { x: number; y: number };
type Pen = CanvasRenderingContext2D;
