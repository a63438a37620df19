// Imports with `{ type: 'file' }` return the path of a file, even in a compiled program; `{ type: 'text' }`, its text.
declare module '*.svg' {
  const pathOrText: string;
  export default pathOrText;
}
declare module '*.css' {
  const path: string;
  export default path;
}
declare module '*/link.js' {
  const path: string;
  export default path;
}
declare module '*/link-form.js' {
  const path: string;
  export default path;
}
declare module '*/theme.js' {
  const path: string;
  export default path;
}
