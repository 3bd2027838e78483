// A university on loopback for tests: an OpenID Connect provider that lets anybody in
// who says a name.
//
//   node provider.js REDIRECT_URI
//
// Prints its issuer. NAME signs in as NAME@upc.edu; names that begin with "unverified"
// have an address that nobody has verified. The client is "ludus" with the secret
// "geheim"; PKCE is required. It ends with its standard input.

import { createServer } from "node:http";
import Provider from "oidc-provider";

// Nobody reads its notices, and standard output is for the issuer alone.
console.info = console.error;
const [redirect] = process.argv.slice(2);
const server = createServer();
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const issuer = `http://127.0.0.1:${server.address().port}`;

const provider = new Provider(issuer, {
	clients: [{ client_id: "ludus", client_secret: "geheim", redirect_uris: [redirect], token_endpoint_auth_method: "client_secret_basic" }],
	claims: { openid: ["sub"], email: ["email", "email_verified"] },
	pkce: { required: () => true },
	features: { devInteractions: { enabled: true } },
	cookies: { keys: ["test"] },
	findAccount: (_, id) => ({
		accountId: id,
		claims: () => ({ sub: id, email: `${id}@upc.edu`, email_verified: !id.startsWith("unverified") }),
	}),
});
server.on("request", provider.callback());
console.log(issuer);
process.stdin.on("end", () => process.exit()).resume();
