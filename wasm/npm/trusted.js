// @ts-check
/**
 * Addresses of scripts for pages whose Content-Security-Policy takes none but those that
 * a policy of Trusted Types has let through: `require-trusted-types-for 'script';
 * trusted-types deepemd`.
 */

/** The policy of this page or worker, which several copies of the package share. */
const POLICY = Symbol.for("deepemd.policy");

/** The kinds of addresses that scripts of workers have here. */
const PROTOCOLS = ["http:", "https:", "blob:", "file:"];

/**
 * The address of a worker's script, as Worker takes it. Where a page lets no policy of
 * this name be made it stays a text, for the page's default policy to judge.
 *
 * @param {URL} script
 * @returns {string} or a TrustedScriptURL
 */
export function trusted(script) {
  const scope = /** @type {any} */ (globalThis);
  if (!scope.trustedTypes) return script.href;
  try {
    scope[POLICY] ??= scope.trustedTypes.createPolicy("deepemd", { createScriptURL: checked });
  } catch {
    return script.href;
  }
  return scope[POLICY].createScriptURL(script.href);
}

/** @param {string} address */
function checked(address) {
  if (PROTOCOLS.includes(new URL(address).protocol)) return address;
  throw new TypeError(`${address} is no address of a worker's script`);
}
