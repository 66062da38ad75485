// Makes images smaller in the browser, upright, as the server would draw them.

const edge = 2048;
const quality = 0.9;

/** The image with edges of at most 2,048 pixels, as a JPEG; null when it cannot be read. */
export async function shrink(file: File): Promise<File | null> {
  try {
    const image = await createImageBitmap(file);
    const scale = Math.min(1, edge / Math.max(image.width, image.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(Math.round(image.width * scale), 1);
    canvas.height = Math.max(Math.round(image.height * scale), 1);
    const context = canvas.getContext("2d");
    if (!context) return null;
    context.fillStyle = "#fff"; // below transparent parts
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    image.close();
    const drawn = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/jpeg", quality));
    return drawn && new File([drawn], file.name, { type: "image/jpeg" });
  } catch {
    return null;
  }
}
