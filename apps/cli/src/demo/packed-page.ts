/** What the page shows of the body that a receiver of Orders gets. */
export interface Received {
  readonly ScheduledOrderId: number;
  readonly DatePaid: string | null;
  readonly CurrencyIso: string;
  readonly Total: string;
  readonly ShippingFirstName: string | null;
  readonly ShippingLastName: string | null;
  readonly ShippingStreet1: string | null;
  readonly ShippingPostcode: string | null;
  readonly ShippingCity: string | null;
  readonly ShippingCountry: string | null;
  readonly OrderItems: readonly { readonly Name: string | null; readonly Quantity: number }[];
}

/** An Order that has arrived, under its push name. */
export interface Packed {
  readonly name: string;
  readonly number: number;
  readonly order: Received;
}

const STYLE = `
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark; }
  article { border: 1px solid #8886; border-radius: 8px; padding: 0 1rem; margin: 1rem 0; }
  .quiet { opacity: .75; font-size: .9rem; overflow-wrap: anywhere; }`;

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
const line = (...parts: readonly (string | null)[]) => escaped(parts.filter(Boolean).join(' '));

/** The page `/dev/shop`, the newest first. It reads itself again every few seconds. */
export const packedPage = (packed: readonly Packed[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="5">
<title>Packed orders</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Packed orders</h1>
<p>The demo's first shop is this page: what the service has charged arrives here, once, and is packed.</p>
${packed.map(article).join('\n') || '<p>Nothing has arrived yet.</p>'}
</body>
</html>
`;

const article = ({ name, number, order }: Packed) => `<article>
<h2>N${number} for ${line(order.ShippingFirstName, order.ShippingLastName)}</h2>
<ul>${order.OrderItems.map(({ Quantity, Name }) => `<li>${Quantity} × ${line(Name)}</li>`).join('')}</ul>
<p>To ${line(order.ShippingStreet1)}, ${line(order.ShippingPostcode, order.ShippingCity, order.ShippingCountry)}</p>
<p>Paid: ${line(order.Total, order.CurrencyIso)}</p>
<p class="quiet">Scheduled order ${order.ScheduledOrderId}, paid ${line(order.DatePaid)}, pushed as ${line(name)}</p>
</article>`;
