/**
 * The form for a number.
 *
 * @param {string} code of the language
 * @param {number} n
 * @param {Record<string, string>} forms by category, and by exact number such as "=0"
 */
const plural = (code, n, forms) => forms["=" + n] ?? forms[new Intl.PluralRules(code).select(n)] ?? forms.other;
