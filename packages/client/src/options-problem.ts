/**
 * Returns an error message if the options are no object, or if one is misspelled and would otherwise be ignored. No value
 * is shown, because one may be the key. `nearest`: returns the option that was meant, instead of listing all of them.
 */
export function optionsProblem(
  options: unknown,
  owner: string,
  optionNames: Record<string, true>,
  nearest?: (typed: string, names: readonly string[]) => string | undefined,
): string | undefined {
  if (typeof options !== 'object' || options === null) return `The options of ${owner} must be an object.`;
  const names = Object.keys(optionNames);
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown === undefined) return undefined;
  const meant = nearest?.(unknown, names);
  const hint = meant ? `did you mean ${meant}?` : `the options are ${names.join(', ')}.`;
  return `${owner} has no option ${JSON.stringify(unknown)}; ${hint}`;
}
