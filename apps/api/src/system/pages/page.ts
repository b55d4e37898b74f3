export const VIEWPORT = '<meta name="viewport" content="width=device-width, initial-scale=1">';

const STYLE = `
  body { margin: 0 auto; max-width: 50rem; padding: 1rem; font: 1rem/1.5 sans-serif; overflow-wrap: break-word }
  pre { background: #f4f4f4; overflow-x: auto; padding: 0.5rem }
  table { border-collapse: collapse; display: block; overflow-x: auto }
  td, th { border: 1px solid #ccc; padding: 0.2rem 0.5rem; text-align: left; vertical-align: top }`;

/** A page of the documentation outside Swagger UI. */
export const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8">${VIEWPORT}<link rel="icon" href="data:,"><title>${title}</title><style>${STYLE}</style></head><body>${body}</body></html>`;

/** `Bad Request` → `bad-request`: anchors, as GitHub makes them of headings. */
export const anchorOfHeading = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .replaceAll(' ', '-');
