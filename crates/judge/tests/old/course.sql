PRAGMA foreign_keys = OFF;
-- A course as the judge kept it up to migration 5. Sources are shortened; the last four
-- rejections are written by hand, as that judge wrote them.
BEGIN TRANSACTION;
CREATE TABLE accounts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    email TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    team TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('student', 'instructor', 'spectator')),
    language TEXT NOT NULL,
    password TEXT,
    locked INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL
);
INSERT INTO "accounts" VALUES(1,'laia@x.edu','Laia','','instructor','en','$argon2id$',0,1794920059311);
INSERT INTO "accounts" VALUES(2,'pau@x.edu','Pau','','student','en','$argon2id$',0,1794920060218);
INSERT INTO "accounts" VALUES(3,'ana@x.edu','Ana','','student','en','$argon2id$',0,1794920060269);
CREATE TABLE actions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    created_at INTEGER NOT NULL,
    actor_id INTEGER NOT NULL REFERENCES accounts (id),
    action TEXT NOT NULL,
    -- What it is about, as far as it is about any of these.
    account_id INTEGER REFERENCES accounts (id),
    season_id INTEGER REFERENCES seasons (id),
    submission_id INTEGER REFERENCES submissions (id),
    detail TEXT NOT NULL,
    reason TEXT NOT NULL
);
INSERT INTO "actions" VALUES(1,1794920060165,1,'make-season',NULL,1,NULL,'','');
INSERT INTO "actions" VALUES(2,1794920164561,1,'retire-player',3,1,7,'','left the course');
CREATE TABLE course (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    title TEXT NOT NULL,
    -- Words that no player's name may contain, one per line.
    refused_words TEXT NOT NULL
);
INSERT INTO "course" VALUES(1,'Ludus','admin
idiot
stupid
fuck
shit
puta
mierda
merda
nazi
hitler');
CREATE TABLE crews (
    name TEXT PRIMARY KEY,
    workers BIGINT NOT NULL,
    beats BIGINT NOT NULL DEFAULT 0,
    taken BIGINT NOT NULL DEFAULT 0,
    pause TEXT
);
CREATE TABLE devices (
    token TEXT NOT NULL,
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    seen_at INTEGER NOT NULL,
    PRIMARY KEY (token, account_id)
);
CREATE TABLE exceptions (
    season_id INTEGER NOT NULL REFERENCES seasons (id) ON DELETE CASCADE,
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    until_at INTEGER NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (season_id, account_id)
);
CREATE TABLE jobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL CHECK (kind IN ('compile', 'match')),
    subject INTEGER NOT NULL,
    -- For whom it is done: nobody's hundred jobs go before another's first.
    account_id INTEGER NOT NULL,
    priority INTEGER NOT NULL,
    -- Jobs of one submission have one batch, and a batch begun is finished first.
    batch INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'parked')),
    lease TEXT,
    lease_until INTEGER NOT NULL DEFAULT 0,
    not_before INTEGER NOT NULL DEFAULT 0,
    takes INTEGER NOT NULL DEFAULT 0,
    failures INTEGER NOT NULL DEFAULT 0,
    error TEXT,
    created_at INTEGER NOT NULL,
    finished_at INTEGER, turn BIGINT NOT NULL DEFAULT 0, rank BIGINT NOT NULL DEFAULT 1, crew TEXT NOT NULL DEFAULT '', beats BIGINT NOT NULL DEFAULT 0, delay BIGINT NOT NULL DEFAULT 0, strikes BIGINT NOT NULL DEFAULT 0, deaths BIGINT NOT NULL DEFAULT 0, kills BIGINT NOT NULL DEFAULT 0, overruns INTEGER NOT NULL DEFAULT 0,
    UNIQUE (kind, subject)
);
INSERT INTO "jobs" VALUES(1,'compile',1,2,1,1,'done','f8c42c30c4e55ae2c0153a102c527c2fee746351a7a4c96760b3100151956f02',0,0,1,0,NULL,1794920060887,1794920093977,1,1,'fc2806418ac35feb462d',6,0,0,0,0,0);
INSERT INTO "jobs" VALUES(2,'compile',2,3,1,2,'done','140fdba13b1d13cc75fecdb045dbe55a5cea3f7c21ee31ec90457e694c0e1d10',0,0,1,0,NULL,1794920060919,1794920095175,2,1,'fc2806418ac35feb462d',6,0,0,0,0,0);
INSERT INTO "jobs" VALUES(3,'compile',3,2,1,3,'done','fd13e5acff2e00bbb117c1c75ac49781b78898371bba461c95a541630a152f7e',0,0,1,0,NULL,1794920060972,1794920102853,3,1,'fc2806418ac35feb462d',1,0,0,0,0,0);
INSERT INTO "jobs" VALUES(4,'compile',4,2,1,4,'done','360f16ef58468ea91ae478b8ec49a5bbdc08bc5e65f3e264b2ac8bfb5bf68359',0,0,1,0,NULL,1794920061021,1794920108920,5,1,'fc2806418ac35feb462d',1,0,0,0,0,0);
INSERT INTO "jobs" VALUES(5,'compile',5,2,1,5,'done','1166bc7028f94769c3a4e3ef03d197ae4655bd7723bcda71184e2a12b70f55b5',0,0,1,0,NULL,1794920061091,1794920110570,7,1,'fc2806418ac35feb462d',1,0,0,0,0,0);
INSERT INTO "jobs" VALUES(6,'compile',6,2,1,6,'done','d08d33bbb6c4ec4d79a85d28bf8bb45b2021741e0a9b1698668b5e41c3855ace',0,0,1,0,NULL,1794920061140,1794920114792,9,1,'fc2806418ac35feb462d',1,0,0,0,0,0);
INSERT INTO "jobs" VALUES(7,'compile',7,3,1,7,'done','700499c46499fd22fdd7ae91e1e905884745ddfebef0a12f1f68a86b666604b7',0,0,1,0,NULL,1794920061213,1794920101633,3,1,'fc2806418ac35feb462d',1,0,0,0,0,0);
INSERT INTO "jobs" VALUES(8,'match',1,2,1,1,'done','071670cc7fef103475ccda3185222ccbe481a10c6afef570fe8fb741c217f84b',0,0,1,0,NULL,1794920093978,1794920094260,1,0,'fc2806418ac35feb462d',0,0,0,0,0,0);
INSERT INTO "jobs" VALUES(9,'match',2,2,1,1,'done','619e8464f5af877ab59ba643beafbe2108b820bf74e8da5a9534263e51692a1c',0,0,1,0,NULL,1794920094260,1794920094375,1,0,'fc2806418ac35feb462d',0,0,0,0,0,0);
INSERT INTO "jobs" VALUES(10,'match',3,2,1,1,'done','e3d37b34ce562bd0c4727bdde85ae6090949d0b3ea0f69032d052f4cc57b8a4f',0,0,1,0,NULL,1794920094260,1794920094671,1,0,'fc2806418ac35feb462d',0,0,0,0,0,0);
INSERT INTO "jobs" VALUES(11,'match',4,2,1,1,'done','f1e74a369c42c0d2db43af38a0e27067136e5c10be71b6ac49e62d5b1cbf52c0',0,0,1,0,NULL,1794920094261,1794920094851,1,0,'fc2806418ac35feb462d',0,0,0,0,0,0);
INSERT INTO "jobs" VALUES(12,'match',5,2,1,1,'done','5181bdb8cc54218800f6d9f7bb53b7e60dfc803bb3b662be503fe357954b5590',0,0,1,0,NULL,1794920094261,1794920095127,1,0,'fc2806418ac35feb462d',0,0,0,0,0,0);
INSERT INTO "jobs" VALUES(13,'match',6,3,1,7,'done','6aca3d7247fb65722f6ebee8db358f2f863938d8fed66aba3b7e6f3bafd4501d',0,0,1,0,NULL,1794920101633,1794920102312,3,0,'fc2806418ac35feb462d',0,0,0,0,0,0);
INSERT INTO "jobs" VALUES(14,'match',7,3,1,7,'done','7803e7ae34a7febe82b6f1d5995b7e33a1f41580543812c50d9dc65a47e8f108',0,0,1,0,NULL,1794920102312,1794920102834,3,0,'fc2806418ac35feb462d',0,0,0,0,0,0);
INSERT INTO "jobs" VALUES(15,'match',8,3,1,7,'done','3747cf10ee1a45db5f33c7ea7ec2ec8d4061a8e47f228e0231f1e92729e93199',0,0,1,0,NULL,1794920102312,1794920103296,3,0,'fc2806418ac35feb462d',0,0,0,0,0,0);
INSERT INTO "jobs" VALUES(16,'match',9,3,1,7,'done','188c6ce8889671b13d214b39d4a4ba203fe902c15e0ed7ea932b3da5497e1a9f',0,0,1,0,NULL,1794920102313,1794920103924,3,0,'fc2806418ac35feb462d',0,0,0,0,0,0);
INSERT INTO "jobs" VALUES(17,'match',10,3,1,7,'done','3cb401e6b19f83570a7854db8d6ed649f7e5a4a65be5dbf8d806535a2897d2d9',0,0,1,0,NULL,1794920102313,1794920104091,3,0,'fc2806418ac35feb462d',0,0,0,0,0,0);
INSERT INTO "jobs" VALUES(18,'match',11,2,1,4,'done','561ba9b51af5dd308c4c89440295868594d36317ed30039ddb84c9ca99d2fb43',0,0,1,0,NULL,1794920108920,1794920109072,5,0,'fc2806418ac35feb462d',0,0,0,0,0,0);
INSERT INTO "jobs" VALUES(19,'match',12,2,1,5,'done','882c2542420daabc2a513ecdac394f01ba186e9d5e85c3ea47676fe6bac95289',0,0,1,0,NULL,1794920110587,1794920110792,7,0,'fc2806418ac35feb462d',0,0,0,0,0,0);
INSERT INTO "jobs" VALUES(20,'match',13,2,1,5,'done','44b9266fb7b35657e86515e222e70bfb5725e08b6608d836faaa22fb024158b7',0,0,1,0,NULL,1794920110792,1794920112899,7,0,'fc2806418ac35feb462d',0,0,0,0,0,0);
INSERT INTO "jobs" VALUES(21,'match',14,2,1,5,'done','9cfc2f9002551fdf68f20235fd72876e1a32d89f595bcc3a11a6cd681f9330ad',0,0,1,0,NULL,1794920110792,1794920113575,7,0,'fc2806418ac35feb462d',0,0,0,0,0,0);
INSERT INTO "jobs" VALUES(22,'match',15,2,1,5,'done','eb804c8407c086c6019dcaac27719545510c4b11ee368dabb0946a62e04cf62d',0,0,1,0,NULL,1794920110792,1794920115747,7,0,'fc2806418ac35feb462d',0,0,0,0,0,0);
INSERT INTO "jobs" VALUES(23,'match',16,2,1,5,'done','b8c5e049f2bdda7a03beec2a83ebe236c2079081238090e545affcf0f764955e',0,0,1,0,NULL,1794920110792,1794920115592,7,0,'fc2806418ac35feb462d',0,0,0,0,0,0);
CREATE TABLE leavings (
    hash TEXT PRIMARY KEY,
    since INTEGER NOT NULL
);
CREATE TABLE links (
    token TEXT PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    purpose TEXT NOT NULL CHECK (purpose IN ('setup', 'invite', 'reset')),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER
);
CREATE TABLE losses (
    hash TEXT PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('module', 'replay', 'output')),
    -- The submission of a module, the match of everything else.
    subject INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('found', 'restored', 'lost')),
    note TEXT NOT NULL,
    found_at INTEGER NOT NULL,
    ended_at INTEGER
);
CREATE TABLE matches (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    season_id INTEGER NOT NULL REFERENCES seasons (id),
    purpose TEXT NOT NULL CHECK (purpose IN ('official', 'verification', 'training', 'demonstration')),
    -- The submission that a match verifies, and the place of the match among its five.
    submission_id INTEGER REFERENCES submissions (id),
    step INTEGER,
    seed INTEGER NOT NULL,
    played INTEGER NOT NULL DEFAULT 0,
    rounds INTEGER,
    replay TEXT,
    -- Whoever has this may watch the match.
    share TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    played_at INTEGER
, cpu BLOB, thinned_at INTEGER);
INSERT INTO "matches" VALUES(1,1,'verification',1,0,528994759,1,300,'45815b14062a61f83ac18f7f7127eb8cee78c3744ac575bf3a0cb868fde887f8','ea0a1c960ce4cce11e8c',1794920093977,1794920094260,NULL,NULL);
INSERT INTO "matches" VALUES(2,1,'verification',1,1,528994760,1,300,'53ebe38739fd6553f237cf8979f29813374b79becbc83e58e3a1aeb847290d2d','1b90826023dead88094e',1794920094260,1794920094376,NULL,NULL);
INSERT INTO "matches" VALUES(3,1,'verification',1,2,528994761,1,300,'6aa546f8691e6e8cae0086fd36a154d99133e9d37eb9410f111cdd5c0eb04fdc','a5382320bb877d062a93',1794920094260,1794920094675,NULL,NULL);
INSERT INTO "matches" VALUES(4,1,'verification',1,3,528994762,1,300,'4fe4f6de8f5546e1bf9f1da7f30ef9363b01a5e74801f1f237ed78a3e90c36d3','4126bbb9519871f19bcf',1794920094261,1794920094855,NULL,NULL);
INSERT INTO "matches" VALUES(5,1,'verification',1,4,528994763,1,300,'cf84e1780ed24afd2ee64bf9b2afe5057a2040077a2525ce07744bdef3e58b45','1fa9ed9be7fdf50e3432',1794920094261,1794920095127,NULL,NULL);
INSERT INTO "matches" VALUES(6,1,'verification',7,0,687769205,1,300,'2f5011c3531d202d0daff7e4cdcbaacbb2e9a500c47e64aec41b9dbc75155131','37e1dfd4434eb061366c',1794920101633,1794920102312,NULL,NULL);
INSERT INTO "matches" VALUES(7,1,'verification',7,1,687769206,1,300,'a6997d9901afc8707198e1e7578400cc83b664b1aabcd80a5e6d433b8a3daf9f','48c9ebc0012ade6221b3',1794920102312,1794920102834,NULL,NULL);
INSERT INTO "matches" VALUES(8,1,'verification',7,2,687769207,1,300,'9650fa155a77c00f4d9450aeec4ff8a03ceb72c7a608a754ee1c3d9f31faf00e','60a89874cbaa0d2eee6a',1794920102312,1794920103296,NULL,NULL);
INSERT INTO "matches" VALUES(9,1,'verification',7,3,687769208,1,300,'35cf4fe62942775613521eca68a27510ffbcc9ba53a08c81b253d1970d63fe15','741b34ee1d2dd69c289e',1794920102312,1794920103924,NULL,NULL);
INSERT INTO "matches" VALUES(10,1,'verification',7,4,687769209,1,300,'3dbaddfb06fbd9e5fb82ce20e2abc38d89c6f8368358618e6fe59d06e1d74901','e20933c9fdf70bf05441',1794920102313,1794920104098,NULL,NULL);
INSERT INTO "matches" VALUES(11,1,'verification',4,0,438440294,1,300,'d3cb204827e44b6e2597facf02cabfab7843aed224346f2a3d926a87aa8c59f5','bff87ea9fd5535ecd67f',1794920108920,1794920109087,NULL,NULL);
INSERT INTO "matches" VALUES(12,1,'verification',5,0,875956956,1,300,'8c6b27d6210b1b870c4cffb704cd7f87f757b2b99c932b5a5eeeeaffd04b89fa','c93be9f1d3bb1af008c1',1794920110587,1794920110792,NULL,NULL);
INSERT INTO "matches" VALUES(13,1,'verification',5,1,875956957,1,300,'44e2ae90cd24a768c2b26692487fa318f4168a42e1c229c583b3d137690bec53','31110b65ecd52909c816',1794920110792,1794920112900,NULL,NULL);
INSERT INTO "matches" VALUES(14,1,'verification',5,2,875956958,1,300,'5105f883e1b7671490a7f971380f1f558100a0461485ae23c6cea898c8c07bd1','f512b55722e5207646a7',1794920110792,1794920113576,NULL,NULL);
INSERT INTO "matches" VALUES(15,1,'verification',5,3,875956959,1,300,'edae4ba1e1f2b96ee6b07e528a6ad250b73a91db7a5b3974b7dd46018b07de4c','7f4d7f069f098ae37a30',1794920110792,1794920115755,NULL,NULL);
INSERT INTO "matches" VALUES(16,1,'verification',5,4,875956960,1,300,'daf1717f1569cecb27f33eb65555464019cd9efff4b6283feb78d4548c5e037c','fcd21b0d96c71f2a213c',1794920110792,1794920115593,NULL,NULL);
CREATE TABLE migrations (number BIGINT PRIMARY KEY, applied_at BIGINT NOT NULL);
INSERT INTO "migrations" VALUES(1,1794920058535);
INSERT INTO "migrations" VALUES(2,1794920058549);
INSERT INTO "migrations" VALUES(3,1794920058569);
INSERT INTO "migrations" VALUES(4,1794920058616);
INSERT INTO "migrations" VALUES(5,1794920058616);
CREATE TABLE seasons (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    slug TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    game TEXT NOT NULL,
    config TEXT NOT NULL,
    match_ms INTEGER NOT NULL,
    round_ms INTEGER,
    memory_mib INTEGER NOT NULL,
    source_kib INTEGER NOT NULL,
    opens_at INTEGER NOT NULL,
    deadline_at INTEGER NOT NULL,
    official_at INTEGER NOT NULL,
    -- Markdown; empty for the rules that come with the game.
    rules TEXT NOT NULL,
    created_at INTEGER NOT NULL
, closes_at INTEGER NOT NULL DEFAULT 0, grace_s INTEGER NOT NULL DEFAULT 120);
INSERT INTO "seasons" VALUES(1,'dominator','Dominator','dominator','Dominator 4.0
nb_players 4
nb_rounds 300
nb_farmers 5
nb_knights 20
nb_witches 0
farmers_health 100
knights_health 200
farmers_regen 30
knights_regen 30
damage_min 60
damage_max 90
rows 37
cols 37

GENERATOR2
',1000,NULL,128,64,1577836800000,2177452800000,2180131200000,'',1794920060135,2177452800000,120);
CREATE TABLE seats (
    match_id INTEGER NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    name TEXT NOT NULL,
    -- Empty for a player that comes with the game.
    submission_id INTEGER REFERENCES submissions (id),
    score INTEGER,
    rank INTEGER,
    -- Millionths of the CPU limit, -1 for a frozen seat.
    cpu INTEGER,
    fault_round INTEGER,
    fault TEXT,
    -- What the player wrote, in the store.
    output TEXT,
    PRIMARY KEY (match_id, seat)
);
INSERT INTO "seats" VALUES(1,0,'Winner',1,98748,1,10431,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(1,1,'Winner',1,17127,4,8987,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(1,2,'Winner',1,97003,2,9996,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(1,3,'Winner',1,74975,3,9796,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(2,0,'Winner',1,235375,1,23270,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(2,1,'Dummy',NULL,7444,4,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(2,2,'Dummy',NULL,42741,2,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(2,3,'Dummy',NULL,8239,3,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(3,0,'Dummy',NULL,36855,2,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(3,1,'Winner',1,225113,1,23105,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(3,2,'Dummy',NULL,11558,4,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(3,3,'Dummy',NULL,20168,3,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(4,0,'Dummy',NULL,32807,2,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(4,1,'Dummy',NULL,20608,3,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(4,2,'Winner',1,220749,1,22391,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(4,3,'Dummy',NULL,19320,4,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(5,0,'Dummy',NULL,8128,3,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(5,1,'Dummy',NULL,42404,2,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(5,2,'Dummy',NULL,6406,4,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(5,3,'Winner',1,234675,1,24976,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(6,0,'Retiree',7,204045,1,18999,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(6,1,'Retiree',7,15845,4,8963,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(6,2,'Retiree',7,54792,2,9247,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(6,3,'Retiree',7,16358,3,8907,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(7,0,'Retiree',7,208242,1,21454,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(7,1,'Dummy',NULL,28542,3,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(7,2,'Dummy',NULL,9798,4,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(7,3,'Dummy',NULL,47695,2,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(8,0,'Dummy',NULL,21664,3,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(8,1,'Retiree',7,219935,1,19278,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(8,2,'Dummy',NULL,10951,4,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(8,3,'Dummy',NULL,41761,2,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(9,0,'Dummy',NULL,23616,4,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(9,1,'Dummy',NULL,49207,3,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(9,2,'Retiree',7,161923,1,17405,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(9,3,'Dummy',NULL,58917,2,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(10,0,'Dummy',NULL,11748,4,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(10,1,'Dummy',NULL,33409,2,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(10,2,'Dummy',NULL,15598,3,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(10,3,'Retiree',7,227347,1,22871,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(11,0,'Abort',4,1505,1,-1,0,'out of CPU time',NULL);
INSERT INTO "seats" VALUES(11,1,'Abort',4,1505,1,-1,0,'ended its own program: aborted',NULL);
INSERT INTO "seats" VALUES(11,2,'Abort',4,1505,1,-1,0,'ended its own program: aborted',NULL);
INSERT INTO "seats" VALUES(11,3,'Abort',4,1505,1,-1,0,'ended its own program: aborted',NULL);
INSERT INTO "seats" VALUES(12,0,'Idle',5,1505,1,18,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(12,1,'Idle',5,1505,1,18,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(12,2,'Idle',5,1505,1,18,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(12,3,'Idle',5,1505,1,18,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(13,0,'Idle',5,463,4,18,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(13,1,'Dummy',NULL,41465,2,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(13,2,'Dummy',NULL,17746,3,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(13,3,'Dummy',NULL,225507,1,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(14,0,'Dummy',NULL,114227,2,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(14,1,'Idle',5,350,4,18,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(14,2,'Dummy',NULL,58433,3,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(14,3,'Dummy',NULL,116986,1,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(15,0,'Dummy',NULL,8930,3,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(15,1,'Dummy',NULL,43793,2,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(15,2,'Idle',5,356,4,18,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(15,3,'Dummy',NULL,233797,1,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(16,0,'Dummy',NULL,199271,1,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(16,1,'Dummy',NULL,13083,3,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(16,2,'Dummy',NULL,75664,2,0,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(16,3,'Idle',5,520,4,18,NULL,NULL,NULL);
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- The SHA-256 of the token: who reads this table cannot sign in with it.
    token TEXT NOT NULL UNIQUE,
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    csrf TEXT NOT NULL,
    address TEXT NOT NULL,
    agent TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
);
CREATE TABLE submissions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    season_id INTEGER NOT NULL REFERENCES seasons (id),
    account_id INTEGER NOT NULL REFERENCES accounts (id),
    -- Empty while no name could be read from the source.
    name TEXT NOT NULL,
    -- The name in small letters, which is what must be unique.
    name_key TEXT NOT NULL,
    file_name TEXT NOT NULL,
    language TEXT NOT NULL CHECK (language IN ('cpp', 'rust')),
    source BLOB NOT NULL,
    stage TEXT NOT NULL CHECK (stage IN ('waiting', 'compiling', 'playing', 'accepted', 'rejected')),
    -- Why it was rejected: a word for the pages, and what it is about.
    reason TEXT,
    detail TEXT,
    module TEXT,
    seed INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    decided_at INTEGER,
    verdicts INTEGER NOT NULL DEFAULT 0
, bytes INTEGER NOT NULL DEFAULT 0, thinned_at INTEGER, retired_at INTEGER, retired_reason TEXT, example TEXT);
INSERT INTO "submissions" VALUES(1,1,2,'Winner','winner','AIx.cc','cpp',X'2F2F2057696E6E6572','accepted',NULL,NULL,'44eb5910710af21bbef0a6d8fb8f13cb55fb7718b912594ef5667a1592be124a',528994759,1794920060882,1794920095128,1,8,NULL,NULL,NULL,NULL);
INSERT INTO "submissions" VALUES(2,1,3,'WINNER','winner','AIx.cc','cpp',X'2F2F2057494E4E4552','rejected','name-taken','',NULL,82416697,1794920060917,1794920095192,1,8,NULL,NULL,NULL,NULL);
INSERT INTO "submissions" VALUES(3,1,2,'Wrong','wrong','AIx.cc','cpp',X'2F2F2057726F6E67','rejected','compiler','player.cc:32:29: error: expected '';'' after expression
   32 |   virtual void play () {this does not compile;
      |                             ^
      |                             ;
player.cc:32:30: error: use of undeclared identifier ''does''
   32 |   virtual void play () {this does not compile;
      |                              ^
player.cc:32:25: warning: expression result unused [-Wunused-value]
   32 |   virtual void play () {this does not compile;
      |                         ^~~~
1 warning and 2 errors generated.
',NULL,808926726,1794920060970,1794920102853,1,8,NULL,NULL,NULL,NULL);
INSERT INTO "submissions" VALUES(4,1,2,'Abort','abort','AIx.cc','cpp',X'2F2F2041626F7274','rejected','fault','11','bd6216ceb8c919963d591ba6fb66ec5328955ab41e4e7e6cb386426515431337',438440294,1794920061014,1794920109094,1,8,NULL,NULL,NULL,NULL);
INSERT INTO "submissions" VALUES(5,1,2,'Idle','idle','AIx.cc','cpp',X'2F2F2049646C65','rejected','not-won','13','0e34ca86c241f10cb10a8b04b52f6d3c8c9e3bc6fff840749e24f298bdfcc678',875956956,1794920061090,1794920115796,1,8,NULL,NULL,NULL,'AINull.cc');
INSERT INTO "submissions" VALUES(6,1,2,'Ghost','ghost','AIx.cc','cpp',X'2F2F2047686F7374','rejected','module','it registers no player',NULL,481917808,1794920061138,1794920114792,1,8,NULL,NULL,NULL,NULL);
INSERT INTO "submissions" VALUES(7,1,3,'Retiree','retiree','AIx.cc','cpp',X'2F2F2052657469726565','accepted',NULL,NULL,'885c3f250ebece42695f9f064752481d9d801f19852725829002a68e65200d43',687769205,1794920061210,1794920104120,1,8,NULL,1794920164561,'left the course',NULL);
INSERT INTO "submissions" VALUES(8,1,2,'Waiter','waiter','AIx.cc','cpp',X'2F2F20576169746572','rejected','overtime','11 3 30','bd6216ceb8c919963d591ba6fb66ec5328955ab41e4e7e6cb386426515431337',438440294,1794920061014,1794920109094,1,8,NULL,NULL,NULL,NULL);
INSERT INTO "submissions" VALUES(9,1,2,'Long','long','AIx.cc','cpp',X'2F2F204C6F6E67','rejected','slow','30','bd6216ceb8c919963d591ba6fb66ec5328955ab41e4e7e6cb386426515431337',438440294,1794920061014,1794920109094,1,8,NULL,NULL,NULL,NULL);
INSERT INTO "submissions" VALUES(10,1,2,'Masked','masked','AIx.cc','cpp',X'2F2F204D61736B6564','rejected','other-name','Other','bd6216ceb8c919963d591ba6fb66ec5328955ab41e4e7e6cb386426515431337',438440294,1794920061014,1794920109094,1,8,NULL,NULL,NULL,NULL);
INSERT INTO "submissions" VALUES(11,1,2,'Copy','copy','AIx.cc','cpp',X'2F2F20436F7079','rejected','example-twice','','bd6216ceb8c919963d591ba6fb66ec5328955ab41e4e7e6cb386426515431337',438440294,1794920061014,1794920109094,1,8,NULL,NULL,NULL,NULL);
CREATE TABLE turns (
    account_id BIGINT PRIMARY KEY,
    turn BIGINT NOT NULL
);
INSERT INTO "turns" VALUES(0,9);
INSERT INTO "turns" VALUES(2,9);
INSERT INTO "turns" VALUES(3,3);
CREATE INDEX sessions_by_account ON sessions (account_id);
CREATE INDEX submissions_by_account ON submissions (account_id, season_id);
CREATE INDEX submissions_by_season ON submissions (season_id, stage);
CREATE UNIQUE INDEX matches_by_submission ON matches (submission_id, step);
CREATE INDEX matches_by_season ON matches (season_id, id);
CREATE INDEX seats_by_submission ON seats (submission_id);
CREATE INDEX matches_by_replay ON matches (replay);
CREATE INDEX seats_by_output ON seats (output);
CREATE INDEX submissions_by_module ON submissions (module);
CREATE INDEX jobs_ready ON jobs (priority, turn, rank, id) WHERE state = 'waiting' AND not_before = 0;
CREATE INDEX jobs_delayed ON jobs (not_before) WHERE state = 'waiting' AND not_before > 0;
CREATE INDEX jobs_running ON jobs (id) WHERE state = 'running';
CREATE INDEX jobs_unfinished ON jobs (state, priority, id) WHERE state <> 'done';
CREATE INDEX jobs_by_batch ON jobs (batch, account_id, id);
CREATE UNIQUE INDEX accepted_names ON submissions (season_id, name_key) WHERE stage = 'accepted' AND retired_at IS NULL;
CREATE INDEX submissions_by_time ON submissions (account_id, created_at);
CREATE INDEX submissions_undecided ON submissions (account_id) WHERE decided_at IS NULL;
CREATE INDEX devices_by_account ON devices (account_id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('accounts',3);
INSERT INTO "sqlite_sequence" VALUES('sessions',7);
INSERT INTO "sqlite_sequence" VALUES('seasons',1);
INSERT INTO "sqlite_sequence" VALUES('actions',2);
INSERT INTO "sqlite_sequence" VALUES('submissions',11);
INSERT INTO "sqlite_sequence" VALUES('jobs',23);
INSERT INTO "sqlite_sequence" VALUES('matches',16);
COMMIT;
