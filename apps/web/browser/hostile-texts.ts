import type { BrowserContext } from 'playwright-core';

/** Attack strings from lists by OWASP and PortSwigger, and from past bugs in other Markdown parsers. */
const SCRIPTS = [
  '<script>__ran()</script>',
  '<ScRiPt src=https://evil.example/x.js></sCrIpT>',
  '<img src=x onerror=__ran()>',
  '<img src="https://evil.example/i.png" onload="__ran()">',
  '<svg onload=__ran()>',
  '<svg><script>__ran()</script></svg>',
  '<svg><animate onbegin=__ran() attributeName=x dur=1s>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=__ran()&gt;">',
  '<iframe src="javascript:__ran()"></iframe>',
  '<iframe srcdoc="<script>parent.__ran()</script>"></iframe>',
  '<object data="data:text/html,<script>__ran()</script>"></object>',
  '<embed src="https://evil.example/x.swf">',
  '<a href="javascript:__ran()">x</a>',
  '<a href="java&#10;script:__ran()">x</a>',
  '<a href="&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74&#x3A__ran()">x</a>',
  '<a href="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==">x</a>',
  '<form action="https://evil.example"><button>x</button></form>',
  '<form><button formaction="javascript:__ran()">x</button></form>',
  '<input autofocus onfocus=__ran()>',
  '<details open ontoggle=__ran()>x</details>',
  '<video><source onerror=__ran()></video>',
  '<body onload=__ran()>',
  '<link rel=stylesheet href="https://evil.example/x.css">',
  '<style>@import "https://evil.example/x.css"; * { background: url(https://evil.example/y) }</style>',
  '<b style="background:url(https://evil.example/z)" onmouseover="__ran()">x</b>',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  '<base href="https://evil.example/">',
  '<template><script>__ran()</script></template>',
  '<noscript><p title="</noscript><img src=x onerror=__ran()>">',
  '<!--<img src="--><img src=x onerror=__ran()//">',
  '<![CDATA[<script>__ran()</script>]]>',
  '<x onclick=__ran() tabindex=1 id=x>click</x>',
  '"><script>__ran()</script>',
  "'-__ran()-'",
  `$${'{'}__ran()}`,
  '{{constructor.constructor("__ran()")()}}',
  '</title><script>__ran()</script>',
  '</textarea><script>__ran()</script>',
  '\u2028<script>__ran()</script>',
  '<scr\u0001ipt>__ran()</scr\u0001ipt>',
  // Tags that posts may use, with attributes that they may not.
  '<a href=javascript:__ran()>x</a>',
  '<A HREF="JaVaScRiPt:__ran()">x</A>',
  '<a href=" &#14;  javascript:__ran()">x</a>',
  '<a href="&Tab;java&NewLine;script&colon;__ran()">x</a>',
  '<a href="\u0001javascript:__ran()">x</a>',
  '<a href="https://good.example" href="javascript:__ran()" onclick="__ran()" ping="https://evil.example" target=_self>x</a>',
  '<a href="//evil.example">x</a><a href="/hubs">y</a><a href="https://a@evil.example">z</a>',
  '<a id=location name=body href="#x">x</a><img name=cookie src=x><p id=app class="callout">y</p>',
  '<img src="javascript:__ran()" srcset="https://evil.example/i.png 1x" alt="x">',
  '<img src="data:image/svg+xml,<svg onload=__ran()>">',
  '<img src=" https://evil.example/i.png" loading=eager onload=__ran() style="position:fixed">',
  '<img/src=x/onerror=__ran()>',
  '<details open ontoggle=__ran() name=x><summary onclick=__ran()><script>__ran()</script>x</summary><svg onload=__ran()></details>',
  '<details><summary><a href="javascript:__ran()"><img src=x onerror=__ran()></a></summary><form action=//evil.example></details>',
  '<table background="javascript:__ran()"><tr><td style="x:expression(__ran())"><td onmouseover=__ran()>x</table>',
  '<table><a href="javascript:__ran()"><tr><script>__ran()</script><td><style>*{color:red}</style></table>',
  '<b/onclick=__ran()>x</b/onclick=__ran()><b <script>__ran()</script>>',
  '<<b>script>__ran()<</b>/script>',
  '<b><i></b><a href="https://good.example"></i><b><a href="javascript:__ran()">x</b></a></a>',
  '<li onclick=__ran()><ul><p><h1 onmouseover=__ran()>x<ol start="1;__ran()"></h1></p>',
  '<pre onclick=__ran()><code class="language-js" onclick=__ran()><img src=x onerror=__ran()></code></pre>',
  '<kbd accesskey=x onclick=__ran()>x</kbd><ins cite="javascript:__ran()">x</ins><blockquote cite="javascript:__ran()">x</blockquote>',
  '<p srcdoc="<script>__ran()</script>">x</p><div contenteditable autofocus onfocus=__ran()>x</div>',
  '<!--><img src=x onerror=__ran()>--><!--- --!><img src=x onerror=__ran()> -->',
  '<b title="\n\n<img src=x onerror=__ran()>">x</b>',
];

const ADDRESSES = [
  'javascript:__ran()',
  'java\tscript:__ran()',
  ' javascript:__ran()',
  'javascript&colon;__ran()',
  'javascript&#58;__ran()',
  '&#106;avascript:__ran()',
  'javascript\\:__ran()',
  'javascript:%5f%5fran()',
  '\u0001javascript:__ran()',
  'data:text/html,<script>__ran()</script>',
  'data:image/svg+xml,<svg onload=__ran()>',
  'https://evil.example" onclick="__ran()',
  "https://evil.example' onclick='__ran()",
  'https://evil.example/<script>',
];

/** Each script and URL in every position that Markdown has for text or URLs. */
export const HOSTILE_MARKDOWN: readonly string[] = [
  ...SCRIPTS.flatMap((script) => [
    script,
    `a ${script} b`,
    `> ${script}`,
    `- [ ] ${script}`,
    `# ${script}`,
    `**${script}**`,
    `\`${script}\``,
    `\`\`\`${script}\n${script}\n\`\`\``,
    `| ${script} | b |\n|---|---|\n| ${script} | c |`,
    `[${script}](https://good.example "${script}")`,
    `![${script}](https://evil.example/i.png "${script}")`,
  ]),
  ...ADDRESSES.flatMap((address) => [
    `[x](${address})`,
    `[x](<${address}>)`,
    `![x](${address})`,
    `<${address}>`,
    `[x][1]\n\n[1]: ${address}`,
    `[![x](${address})](${address})`,
    `<a href="${address}">x</a> <a href='${address}'>y</a> <img src="${address}" alt="z">`,
    `<a href="${address}">\n\n![x](${address})\n\n</a>`,
    address,
  ]),
];

const EVERYTHING = [...SCRIPTS, ...ADDRESSES.map((address) => `<a href="${address}">x</a><a href='${address}'>y</a>`)];

/** The same strings in every field of every block. */
export const HOSTILE_BLOCKS: readonly object[][] = EVERYTHING.map((text) => [
  { type: 'paragraph', data: { text } },
  { type: 'header', data: { text, level: 1 } },
  { type: 'list', data: { style: 'unordered', items: [{ content: text, items: [{ content: text }] }] } },
  { type: 'checklist', data: { items: [{ text, checked: true }] } },
  { type: 'quote', data: { text, caption: text } },
  { type: 'code', data: { code: text } },
  { type: 'table', data: { withHeadings: true, content: [[text], [text]] } },
  { type: 'warning', data: { title: text, message: text } },
  { type: 'image', data: { file: { url: 'https://evil.example/i.png' }, caption: text } },
  { type: text, data: { [text]: text, list: [text] } },
]);

/**
 * Counts calls of `__ran`, which hostile texts try to call, in `ran`, and collects violations of the content security
 * policy in `reports`. Returns a list to which the URLs of requests to servers other than `hubUrl` are added.
 */
export async function watchHostileTexts(context: BrowserContext, hubUrl: string): Promise<string[]> {
  await context.addInitScript(`
    globalThis.ran = 0;
    globalThis.__ran = () => { globalThis.ran += 1; };
    globalThis.reports = [];
    addEventListener('securitypolicyviolation', (event) => reports.push(event.violatedDirective + ' ' + event.blockedURI));
  `);
  const elsewhere: string[] = [];
  await context.route(
    (url) => url.origin !== hubUrl,
    (route) => {
      elsewhere.push(route.request().url());
      return route.abort();
    },
  );
  return elsewhere;
}
