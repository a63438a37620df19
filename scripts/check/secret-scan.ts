import { TOML } from 'bun';

interface Rule {
  id: string;
  description: string;
  regex: string;
  secretGroup: number;
  entropy: number;
  keywords: string[];
  allowlists?: { regexTarget: string; regexes: string[] }[];
}

/**
 * Returns a scanner with the rules of a gitleaks configuration. It returns the rule ID and the secret for each match.
 */
export function secretScan(configuration: string): (text: string) => { rule: string; secret: string }[] {
  const { rules } = TOML.parse(configuration) as { rules: Rule[] };
  const compiled = rules.map((rule) => ({
    ...rule,
    pattern: new RegExp(rule.regex, 'g'),
    allowed: (rule.allowlists ?? []).flatMap(({ regexes }) => regexes.map((regex) => new RegExp(regex))),
  }));
  return (text) =>
    compiled
      .filter(({ keywords }) => keywords.some((keyword) => text.toLowerCase().includes(keyword)))
      .flatMap(({ id, pattern, secretGroup, entropy, allowed }) =>
        [...text.matchAll(pattern)]
          .map((match) => ({ rule: id, whole: match[0], secret: match[secretGroup] ?? '' }))
          .filter(
            ({ secret, whole }) => shannonEntropy(secret) > entropy && !allowed.some((regex) => regex.test(whole)),
          )
          .map(({ rule, secret }) => ({ rule, secret })),
      );
}

/** Bits per character (Shannon, A Mathematical Theory of Communication, section 6). */
function shannonEntropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0);
}
