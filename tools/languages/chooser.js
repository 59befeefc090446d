/**
 * The words in the first of some languages, by tags such as "de-AT", that this file speaks.
 *
 * @param {readonly string[]} tags
 */
export function words(tags) {
  const codes = tags.map((tag) => tag.toLowerCase()).flatMap((tag) => [tag, tag.split("-")[0]]);
  return codes.map((code) => languages.find(({ lang }) => lang.toLowerCase() === code)).find(Boolean) ?? original;
}
