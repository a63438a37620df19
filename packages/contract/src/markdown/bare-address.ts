/** GitHub also links hosts in other scripts and with emoji. */
const LABEL = '[\\p{L}\\p{N}\\p{M}\\p{So}\\p{Emoji_Modifier}_-]+';

/**
 * Matches the rest of a bare address after `https://`, with the flag `u`. GFM (0.29, section 6.9) ends an address only at white
 * space or `<`. Here, quotation marks, dashes, ellipses and full-width punctuation end it, too, unless they stand within
 * a word; and only a port, a path, a query or a fragment follows the host, since browsers take `example.org。next` for
 * another host. An address with credentials is not matched, since they look like a host.
 *
 * Each repetition of a group takes memory, of which an address with all of a post would take seconds: a group repeats for
 * runs of characters, and so often at the most.
 */
export const AFTER_SCHEME =
  `(?![$-.0->@-~]*@)(?:${LABEL}(?:\\.${LABEL}){0,126}(?:\\.(?=[:/?#]))?|\\[[\\dA-Fa-f:.]+\\])(?::\\d{1,5})?` +
  '(?:[/?#](?:[!#-;=?-~]+|[^!-~\\s\\p{P}！-､]+|[’–·・״׳־་](?=[\\p{L}\\p{N}])){0,999})?';

/**
 * Returns a bare address without what belongs to the sentence: punctuation, closing brackets without an opening one, and
 * a character reference at the end (GFM 0.29, "extended autolink path validation").
 */
export function withoutTrail(address: string): string {
  const surplus = { ')': count(address, ')') - count(address, '('), ']': count(address, ']') - count(address, '[') };
  let end = address.length;
  for (; end > 0; end -= 1) {
    const last = address.charAt(end - 1);
    if (last === ')' || last === ']') {
      if (surplus[last] <= 0) break;
      surplus[last] -= 1;
    } else if (!"?!.,:;*_~'".includes(last)) break;
    if (last === ';') end -= (/&[a-z\d]{1,31};$/i.exec(address.slice(Math.max(0, end - 33), end))?.[0].length ?? 1) - 1;
  }
  return address.slice(0, end);
}

function count(text: string, sign: string): number {
  return text.split(sign).length - 1;
}
