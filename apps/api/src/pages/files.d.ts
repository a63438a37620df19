// Imports with `{ type: 'file' }` return the path of a file, even in a compiled program.
declare module '*/icon.svg' {
  const path: string;
  export default path;
}
declare module '*/link.css' {
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
declare module '*/link-form.css' {
  const path: string;
  export default path;
}
declare module '*/theme.js' {
  const path: string;
  export default path;
}
