import { MARK, ORBITS } from './drawings.ts';
import { pageHead } from './link-page.ts';

const TITLES: Readonly<Record<number, string>> = {
  403: 'Not for you',
  404: 'Nothing here',
  500: 'Something went wrong',
  503: 'Not right now',
};

/** What a browser shows that has come to an address with which something is wrong: why, and the way home. */
export function errorPage(statusCode: number, message: string): string {
  const title = TITLES[statusCode] ?? 'That does not work';
  const text = message.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return `${pageHead(title)}
</head>
<body>
<main>
${ORBITS}
<div class="card">
${MARK}
<h1>${title}</h1>
<div class="lead"><p>${text}</p></div>
<a class="button is-link" href="/">Go to the start</a>
<div class="foot">Error ${statusCode}</div>
</div>
</main>
</body>
</html>
`;
}
