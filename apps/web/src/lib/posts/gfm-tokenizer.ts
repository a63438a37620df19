import { Tokenizer, type Tokens } from 'marked';

/** A URL with a host in any script (GFM 0.29, section 6.9, allows only ASCII; GitHub links these too). */
const ADDRESS = /^(?:https?|ftp):\/\/[^\s<]+/i;
const HOST = /^\w+:\/\/[\p{L}\p{N}\p{S}\p{M}-]+(?:\.[\p{L}\p{N}\p{S}\p{M}-]+)*/u;
const TRAILING = /[?!.,:*_~'"]$/;
/** A title in parentheses at the end of a link. */
const TITLE = /\s\(((?:\\.|[^\\])*)\)\s*\)$/s;

/** Corrects the parser where it differs from CommonMark and GFM. */
export class GfmTokenizer extends Tokenizer {
  /** A title in parentheses cannot contain a parenthesis (CommonMark 0.31, section 6.3). */
  override link(src: string): Tokens.Link | Tokens.Image | undefined {
    const token = super.link(src);
    const [, title] = (token?.title && TITLE.exec(token.raw)) || [];
    return title !== undefined && /(?:^|[^\\])\(/.test(title) ? undefined : token;
  }

  override url(src: string): Tokens.Link | undefined {
    const token = super.url(src);
    if (token) return token;
    const [written = ''] = ADDRESS.exec(src) ?? [];
    if (!HOST.test(written)) return undefined;
    const raw = withoutTrail(written);
    return { type: 'link', raw, text: raw, href: raw, tokens: [{ type: 'text', raw, text: raw }] };
  }
}

/** Removes trailing punctuation and parentheses (GFM 0.29, "extended autolink path validation"). */
function withoutTrail(address: string): string {
  let end = address.length;
  let surplus = count(address, ')') - count(address, '(');
  for (; end > 0; end -= 1) {
    const last = address.charAt(end - 1);
    if (last === ')' && surplus > 0) surplus -= 1;
    else if (!TRAILING.test(last)) break;
  }
  return address.slice(0, end);
}

function count(text: string, sign: string): number {
  return text.split(sign).length - 1;
}
