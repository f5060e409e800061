// A workspace by its accessible names (docs/spec/contract.md, section 9), never by class or id.
import { expect } from '@playwright/test';
import { hydrated } from './fixtures.js';

/** The URL of a workspace's page. */
export function workspacePage(service, token, parameters = {}, name = 'Ask the shop') {
  const { projectId, workspaces } = service.project;
  return service.page(`/share/workspace/${projectId}/${workspaces[name]}`, { ...parameters, jwt: token });
}

/** A conversation in a page or a frame. */
export class Conversation {
  constructor(surface) {
    this.surface = surface;
  }

  /** Opens a workspace's page as a user of a company, without a host. */
  static async open(page, service, company, /** @type {import('./types.js').Opening} */ { parameters, ...user } = {}) {
    await page.goto(workspacePage(service, await service.signIn(company, user), parameters));
    await hydrated(page);
    return new Conversation(page);
  }

  get log() {
    return this.surface.getByRole('log', { name: 'Conversation' });
  }

  get input() {
    return this.surface.getByRole('textbox');
  }

  get status() {
    return this.surface.getByRole('status');
  }

  button(name) {
    return this.surface.getByRole('button', { name, exact: true });
  }

  panel(name) {
    return this.surface.getByRole('region', { name, exact: true });
  }

  chart(name) {
    return this.log.getByRole('figure', { name, exact: true });
  }

  /** Asks a question and waits until the answer is complete. */
  async ask(question) {
    await this.input.fill(question);
    await this.input.press('Enter');
    await this.answered();
  }

  /** Waits until no answer is in progress. */
  async answered() {
    await expect(this.button('Send')).toBeVisible();
    await expect(this.log.locator('[aria-busy="true"]')).toHaveCount(0);
  }

  /** The exact values of a chart's rows. */
  async rows(figure) {
    const title = await figure.getAttribute('aria-label');
    await figure.hover();
    await figure.getByRole('button', { name: 'Chart menu' }).click();
    await figure.getByRole('menuitem', { name: 'Show data' }).click();
    const table = figure.getByRole('table', { name: `${title} data`, exact: true });
    await expect(table).toBeVisible();
    return table.locator('tbody tr').evaluateAll((rows) =>
      rows.map((row) =>
        [...row.cells].map((cell) => {
          const value = cell.dataset.value ?? cell.textContent;
          return value !== '' && Number.isFinite(Number(value)) ? Number(value) : value;
        }),
      ),
    );
  }
}
