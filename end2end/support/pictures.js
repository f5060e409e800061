// Screenshots for the documentation.
import { writeFile } from 'node:fs/promises';

const IMAGES = new URL('../../docs/images/', import.meta.url);

/** Converts a PNG to WebP with the browser's encoder. */
async function webp(browser, png, quality) {
  const page = await browser.newPage();
  const encoded = await page.evaluate(
    async ({ source, quality }) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
      canvas.getContext('2d').drawImage(image, 0, 0);
      const blob = await canvas.convertToBlob({ type: 'image/webp', quality });
      return [...new Uint8Array(await blob.arrayBuffer())];
    },
    { source: `data:image/png;base64,${png.toString('base64')}`, quality },
  );
  await page.close();
  return Buffer.from(encoded);
}

/** Stores a PNG in docs/images as WebP, and prints its size. */
export async function keep(browser, name, png, quality) {
  const picture = await webp(browser, png, quality);
  await writeFile(new URL(`${name}.webp`, IMAGES), picture);
  console.log(`${name}.webp ${Math.round(picture.length / 1000)} kB`);
}
