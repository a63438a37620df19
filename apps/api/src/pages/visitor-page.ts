import { MARK, ORBITS } from './drawings.ts';
import { ASSETS_PATH } from './link-page.ts';

interface VisitorPage {
  title: string;
  lead: string;
}

/** Until there are pages for these: what this is, and how to go on without them. They say nothing of what is on the server. */
export const VISITOR_PAGES = {
  start: {
    title: 'This is a Hub',
    lead: 'Programs post here, and people read it. Its pages in the browser come with a later release.',
  },
  post: {
    title: 'No page of this yet',
    lead: 'Posts will be shown here, to those who may read them, with a later release.',
  },
} as const satisfies Record<string, VisitorPage>;

export function visitorPage({ title, lead }: VisitorPage, apiDocsPath: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · Hub</title>
<link rel="icon" href="${ASSETS_PATH}/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${ASSETS_PATH}/link.css">
</head>
<body>
<main>
${ORBITS}
<div class="card">
${MARK}
<h1>${title}</h1>
<p class="says">${lead}</p>
<p class="foot">Meanwhile follow it in a terminal with <code>hubctl tail</code>, or from a program: <a href="${apiDocsPath}">the API of this server</a>.</p>
</div>
</main>
</body>
</html>
`;
}
