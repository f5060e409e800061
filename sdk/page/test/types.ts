// Compiled, never run: what a host's editor must accept, and what it must refuse.
import { type Embed, type Filters, mount } from '../types/inlay.js';

const fetchToken = async ({ signal }: { signal: AbortSignal }) => (await fetch('/token', { signal })).json();
const embed: Embed = mount('#stage', {
  embedUrl: 'https://embed.example.com',
  application: '0190…',
  fetchToken,
  filters: { region: ['north'], period: { relative: 'last_7_days' }, 'f_warehouse.orders.region': 'south', other: null },
  params: { hideHeader: true, timezone: 'Europe/Berlin' },
  onFilters({ filters, source }) {
    const known: Filters = filters;
    const who: 'user' | 'default' = source;
    console.log(known, who);
  },
});
embed.setFilters({ period: { from: '2024-01-01' } });

// @ts-expect-error a function is needed
mount('#stage', { url: 'https://embed.example.com/share/application/0190' });
// @ts-expect-error a period is not a number of days
embed.setFilters({ period: { last: 7 } });
