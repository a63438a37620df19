/** The Content-Security-Policy of the server's own pages. Injected content cannot run, load or send anything. */
export const PAGE_POLICY = policyOf({ connectsTo: "'self'" });

/** The policy of error pages, which send no requests. */
export const ERROR_PAGE_POLICY = policyOf({ connectsTo: "'none'" });

function policyOf({ connectsTo }: { connectsTo: string }): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src ${connectsTo}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}
