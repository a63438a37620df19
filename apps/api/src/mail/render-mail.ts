import type { MailContent } from '../storage/mails.ts';

interface Rendered {
  subject: string;
  text: string;
  html: string;
}

/** Returns a mail as plain text and as simple HTML. `url`: the address of its action. */
export function renderMail(
  { subject, paragraphs, action }: MailContent,
  { url, workspaceName, baseUrl }: { url: string | null; workspaceName: string; baseUrl: string },
): Rendered {
  const [first = '', ...others] = paragraphs;
  const link = action && url !== null ? { label: action.label, url } : null;
  const foot = `${workspaceName}, ${baseUrl}`;
  const text = [first, link && `${link.label}: ${link.url}`, ...others, `-- \n${foot}`]
    .filter((part) => part !== null)
    .join('\n\n');
  const html = [
    paragraph(first),
    link && `<p><a href="${escaped(link.url)}" style="${BUTTON}">${escaped(link.label)}</a></p>`,
    ...others.map(paragraph),
    `<p style="color:#6c6860;font-size:13px">${escaped(foot)}</p>`,
  ];
  const body = html.filter((part) => part !== null).join('\n');
  return {
    // Line breaks would begin another header.
    subject: subject.replaceAll(/\s+/g, ' '),
    text: `${text}\n`,
    html: `<!doctype html>\n<html lang="en"><body style="${BODY}">\n${body}\n</body></html>\n`,
  };
}

const BODY =
  'font:15px/1.5 system-ui,sans-serif;color:#201f1c;background:#fff;max-width:36rem;margin:0 auto;padding:24px';
const BUTTON =
  'display:inline-block;padding:8px 16px;border-radius:7px;background:#2857c4;color:#fff;text-decoration:none';

const paragraph = (text: string): string => `<p>${escaped(text).replaceAll('\n', '<br>')}</p>`;

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
