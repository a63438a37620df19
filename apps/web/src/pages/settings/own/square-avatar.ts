/** Width and height of the uploaded image, in pixels: twice the largest avatar. */
const SIDE = 256;
/** The maximum size of the chosen file. A photo from a good camera is about 25 MB. */
const MAX_BYTES = 40_000_000;
const QUALITY = 0.9;

/**
 * Decodes an image file.
 * @throws Error with a message for the user if the browser cannot read it.
 */
export async function readAvatar(file: Blob): Promise<ImageBitmap> {
  if (file.size > MAX_BYTES) {
    const megabytes = (bytes: number) => Math.round(bytes / 1_000_000);
    throw new Error(
      `This file is ${megabytes(file.size)} MB; the limit is ${megabytes(MAX_BYTES)} MB. Choose a smaller one.`,
    );
  }
  try {
    return await createImageBitmap(file);
  } catch {
    throw new Error('Your browser can’t read this image. Choose a PNG, JPEG or WebP file.');
  }
}

/** Draws the largest centered square of the image. */
export function drawSquare(canvas: HTMLCanvasElement, avatar: ImageBitmap): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  canvas.width = SIDE;
  canvas.height = SIDE;
  const side = Math.min(avatar.width, avatar.height);
  const [left, top] = [(avatar.width - side) / 2, (avatar.height - side) / 2];
  context.imageSmoothingQuality = 'high';
  context.drawImage(avatar, left, top, side, side, 0, 0, SIDE, SIDE);
}

/**
 * Encodes the canvas, so that only the pixels of the original file remain. Uses WebP, or JPEG on white if the browser
 * cannot encode WebP.
 * @throws Error with a message for the user.
 */
export async function encode(canvas: HTMLCanvasElement): Promise<Blob> {
  const webp = await blobOf(canvas, 'image/webp');
  if (webp?.type === 'image/webp') return webp;
  const jpeg = await blobOf(onWhite(canvas), 'image/jpeg');
  if (jpeg?.type === 'image/jpeg') return jpeg;
  throw new Error('Your browser can’t process this image. Choose another one.');
}

function onWhite(canvas: HTMLCanvasElement): HTMLCanvasElement {
  const white = document.createElement('canvas');
  white.width = canvas.width;
  white.height = canvas.height;
  const context = white.getContext('2d');
  if (context) {
    context.fillStyle = '#fff';
    context.fillRect(0, 0, white.width, white.height);
    context.drawImage(canvas, 0, 0);
  }
  return white;
}

function blobOf(canvas: HTMLCanvasElement, type: string): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, type, QUALITY));
}
