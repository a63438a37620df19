// Imports with `{ type: 'file' }` return the path of a file, even in a compiled program.
declare module 'swagger-ui-dist/swagger-ui.css' {
  const path: string;
  export default path;
}
declare module 'swagger-ui-dist/swagger-ui-bundle.js' {
  const path: string;
  export default path;
}
declare module '*/api-docs/page.css' {
  const path: string;
  export default path;
}
declare module '*/api-docs/page.js' {
  const path: string;
  export default path;
}
