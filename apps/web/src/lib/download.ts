/** Saves what is at a URL as a file. Without a name, the server chooses it. */
export function download(url: string, name = ''): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}
