import type { BrowserContext } from 'playwright-core';

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
