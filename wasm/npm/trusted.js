// @ts-check
/**
 * Script addresses for pages whose Content-Security-Policy requires Trusted Types:
 * `require-trusted-types-for 'script'; trusted-types deepemd`.
 */

/** The policy of this page or worker, shared by all copies of the package. */
const POLICY = Symbol.for("deepemd.policy");

/** The protocols of worker scripts. */
const PROTOCOLS = ["http:", "https:", "blob:", "file:"];

/**
 * Converts the address of a worker's script for Worker. If the page forbids this policy, the address
 * stays a string for the page's default policy.
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
  throw new TypeError(`${address} is not the address of a worker script`);
}
