import { MARK, ORBITS } from './drawings.ts';
import { pageHead } from './link-page.ts';

const TITLES: Readonly<Record<number, string>> = {
  403: 'Access denied',
  404: 'Page not found',
  500: 'Something went wrong',
  503: 'Service unavailable',
};

/** Returns the HTML of an error page, with the message and a link to the home page. */
export function errorPage(statusCode: number, message: string): string {
  const title = TITLES[statusCode] ?? 'Something went wrong';
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
<a class="button is-link" href="/">Go to home</a>
<div class="foot">Error ${statusCode}</div>
</div>
</main>
</body>
</html>
`;
}
