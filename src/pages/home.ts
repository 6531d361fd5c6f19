import { html } from './html.ts';
import { definePage } from './page.ts';

/** `/`: one box that recognises what is typed or pasted. */
export const home = definePage({
  path: '/',
  render() {
    return {
      title: 'Security answers with their evidence',
      description: 'CVEs, domains, IPs, e-mail, web pages, indicators, attack and defense, code.',
      main: html`<h1>Sextant</h1>`,
    };
  },
});
