const MOST_READ = 2_000;
const MOST_SHOWN = 400;

/** The first words of a Markdown text, without its signs. */
export function excerpt(markdown: string): string {
  const words = markdown
    .slice(0, MOST_READ)
    .replaceAll(/^ {0,3}(?:```|~~~).*$/gm, '')
    .replaceAll(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
    .replaceAll(/^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|\d{1,9}[.)][ \t]+)/gm, '')
    .replaceAll(/^[ \t]*(?:[-*_][ \t]*){3,}$/gm, '')
    .replaceAll(/^[ \t|:-]+$/gm, '')
    .replaceAll(/^[ \t]*\|.*$/gm, (row) => row.replaceAll('|', ' '))
    .replaceAll(/(\*\*|__|~~|`+)(?=\S)(.+?)\1/g, '$2')
    .replaceAll(/(?<![\p{L}\p{N}])([*_])(?=\S)([^*_\n]+)\1(?![\p{L}\p{N}])/gu, '$2')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const characters = [...words];
  return characters.length > MOST_SHOWN ? `${characters.slice(0, MOST_SHOWN).join('')}…` : words;
}
