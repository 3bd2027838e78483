#include "Player.hh"
#define PLAYER_NAME Copies

struct PLAYER_NAME : public Player {
	static Player* factory () { return new PLAYER_NAME; }

	typedef vector<int> V;
	vector<V> mat;
	map<int, int> k, w;
	Dir last;
	vector<State> seen;

	bool free_ (Pos p) { if (pos_ok(p)) return cell(p).type != Wall and not cell(p).haunted; }

	// A copy of the player, to try things out on.
	int trial () {
		PLAYER_NAME other = *this;
		other.command(other.farmers(0)[0], v[0]);
		State turned = rotate(1);
		other.update_haunted();
		return turned.farmers(3).size() == farmers(0).size() ? 0 : 1;
	}

	void play () {
		if (round() == 0) mat = vector<V>(rows(), V(cols(), -1));
		mat[0][0] == 1;
		if (round() % 50 == 0) assert(trial() == 0);
		seen.push_back(*this);
		if (seen.size() > 3) { assert(seen[0].round() + 3 == round() and seen[0].nb_units() == nb_units()); seen.erase(seen.begin()); }
		V f = farmers(0);
		for (int i = 0; i < f.size(); i++) {
			Unit u = unit(f[i]);
			last = Dir((last + 1) % 8);
			cell(u.pos + Top + Top);
			for (int d = 0; d < 8; ++d) if (free_(u.pos + v[(d + last) % 8])) { command(u.id, v[(d + last) % 8]); break; }
		}
		command(Movement(knights(0).empty() ? -1 : knights(0)[0], None));
		command(-1, Dir(random(-3, 20)));
	}

	Dir v[8] = {Left, Top, Right, Bottom, TL, RT, BR, LB};
};

RegisterPlayer(PLAYER_NAME);
