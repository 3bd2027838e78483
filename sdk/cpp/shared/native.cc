// Runs a player as a process of its own, for debuggers and sanitizers. The
// host speaks through a socket, so that the terminal stays free.
//
// Host to player: kind (1 start, 2 play), number of bytes, the bytes. A start
// begins with seat and seed. Player to host: number of bytes, the orders. After
// everything that a player writes in a round comes a mark, if the host wants it.
#ifndef __wasm__

#include "ludus.hh"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <vector>

namespace ludus {

void end(Ending why) {
  static const char* const reasons[] = {"", "too many orders", "aborted", "uncaught exception", "out of memory"};
  fprintf(stderr, "player ends: %s\n", reasons[why]);
  abort();
}

}  // namespace ludus

static int host;

static void receive(void* into, size_t bytes) {
  char* at = static_cast<char*>(into);
  while (bytes > 0) {
    ssize_t got = read(host, at, bytes);
    if (got <= 0) exit(0);  // the match is over
    at += got;
    bytes -= got;
  }
}

static void send_all(const void* from, size_t bytes) {
  const char* at = static_cast<const char*>(from);
  while (bytes > 0) {
    ssize_t sent = write(host, at, bytes);
    if (sent <= 0) exit(0);
    at += sent;
    bytes -= sent;
  }
}

static int words_in(const int* orders) {
  int at = 1;
  for (int k = 0; k < orders[0]; ++k) at += 1 + orders[at];
  return at;
}

static void mark_end_of_round() {
  std::cout.flush();
  std::cerr.flush();
  fflush(stdout);
  static const char mark[] = "\x1eludus\x1e";
  if (getenv("LUDUS_MARKS") && write(2, mark, sizeof mark - 1) < 0) exit(0);
}

// Called at the beginning of every round, so that a debugger can stop there:
// break ludus_round if round == 40
extern "C" __attribute__((noinline)) void ludus_round(int round) { asm volatile("" : : "r"(round) : "memory"); }

int main() {
  const char* path = getenv("LUDUS_SOCKET");
  if (!path) {
    fprintf(stderr, "this player is started by: ludus play --native\n");
    return 2;
  }
  signal(SIGPIPE, SIG_IGN);
  setvbuf(stdout, nullptr, _IOLBF, 0);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  host = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connect(host, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    perror("cannot reach the match");
    return 2;
  }
  std::vector<unsigned char> room;
  for (;;) {
    int head[2];
    receive(head, sizeof head);
    int seat_and_seed[2];
    if (head[0] == 1) receive(seat_and_seed, sizeof seat_and_seed);
    if (room.size() < static_cast<size_t>(head[1])) room.resize(head[1]);
    receive(room.data(), head[1]);
    ludus::room = room.data();
    static const int none = 0;
    const int* orders = &none;
    if (head[0] == 1) ludus_start(seat_and_seed[0], seat_and_seed[1], head[1]);
    else {
      static int rounds = 0;
      ludus_round(rounds++);
      orders = ludus_play(head[1]);
    }
    if (head[0] == 2) mark_end_of_round();
    int bytes = 4 * words_in(orders);
    send_all(&bytes, sizeof bytes);
    send_all(orders, bytes);
  }
}

#endif
