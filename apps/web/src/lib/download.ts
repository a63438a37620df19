/** Saves what is at a URL as a file. Without a name, the server chooses it. */
export function download(url: string, name = ''): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}

/** How long a download may take to begin. */
const BEGINNING_MS = 10_000;

export function saveText(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  download(url, name);
  setTimeout(() => URL.revokeObjectURL(url), BEGINNING_MS);
}
