/** Whatever gets into the server's own pages, it runs and loads nothing, and sends nothing elsewhere. */
export const PAGE_POLICY = policyOf({ connectsTo: "'self'" });

/** Of a page that says what went wrong: it asks for nothing, either. */
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
