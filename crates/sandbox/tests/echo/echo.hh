// What a player sees, written down again in the layout of docs/abi, and hashed.
struct Echo {
  unsigned long long sum = 14695981039346656037ULL;
  int length = 0;

  void raw(const void* at, int bytes) {
    for (int k = 0; k < bytes; ++k) sum = (sum ^ static_cast<const unsigned char*>(at)[k]) * 1099511628211ULL;
    length += bytes;
  }
  void word(int value) { raw(&value, 4); }
  void half(int value) { raw(&value, 2); }
  void byte(int value) { raw(&value, 1); }
  void real(double value) { raw(&value, 8); }
  void words(const vector<int>& values) {
    for (int value : values) word(value);
  }
  void align() {
    while (length % 4) byte(0);
  }
  void tell(const char* what) { cerr << what << ' ' << sum << endl; }
};
