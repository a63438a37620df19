declare module 'emoji:en' {
  const groups: readonly { name: string; lines: string }[];
  export default groups;
}
