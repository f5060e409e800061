// A dashboard by its accessible names (docs/spec/contract.md, section 9), never by class or id.
import { expect } from '@playwright/test';

const number = (text) => (text !== '' && Number.isFinite(Number(text)) ? Number(text) : text);

/**
 * The texts of a figure's drawing that exceed its edge, to be evaluated in the page. A text's box is higher than its glyphs:
 * they are cut off if it exceeds the edge by more than 3 pixels at the top or bottom.
 */
export function cutOff(figure) {
  const drawings = [...figure.querySelectorAll('svg')].filter((svg) => svg.getBoundingClientRect().width > 100);
  return drawings.flatMap((svg) => {
    const edge = svg.getBoundingClientRect();
    const outside = (box) =>
      box.top < edge.top - 3 || box.bottom > edge.bottom + 3 || box.left < edge.left - 1 || box.right > edge.right + 1;
    return [...svg.querySelectorAll('text')].filter((text) => outside(text.getBoundingClientRect())).map((text) => text.textContent);
  });
}

/** A dashboard in a page or a frame. */
export class Dashboard {
  constructor(surface) {
    this.surface = surface;
  }

  get title() {
    return this.surface.getByRole('heading', { level: 1 });
  }

  get navigation() {
    return this.surface.getByRole('navigation', { name: 'Dashboards' });
  }

  get tabs() {
    return this.surface.getByRole('tablist', { name: 'Dashboard tabs' });
  }

  get filters() {
    return this.surface.getByRole('region', { name: 'Filters' });
  }

  get charts() {
    return this.surface.getByRole('figure');
  }

  chart(name) {
    return this.surface.getByRole('figure', { name, exact: true });
  }

  /** Waits until every chart shows its rows. */
  async drawn() {
    await expect(this.charts.first()).toBeVisible();
    await expect(this.surface.locator('figure:not([data-state="ready"])')).toHaveCount(0);
  }

  /** The box of a chart's drawing: its largest visible SVG, since the others are icons. Read at once, since drawings are replaced. */
  async drawing(name) {
    return this.chart(name).evaluate((figure) => {
      const shown = [...figure.querySelectorAll('svg')].filter((svg) => svg.checkVisibility({ visibilityProperty: true }));
      const boxes = shown.map((svg) => svg.getBoundingClientRect().toJSON());
      return boxes.toSorted((a, b) => b.width * b.height - a.width * a.height)[0];
    });
  }

  menuButton(name) {
    return this.chart(name).getByRole('button', { name: 'Chart menu' });
  }

  /** Opens a chart's menu and returns one of its items. */
  async menuItem(name, item) {
    await this.chart(name).hover();
    await this.menuButton(name).click();
    return this.surface.getByRole('menuitem', { name: item });
  }

  table(name) {
    return this.surface.getByRole('table', { name: `${name} data`, exact: true });
  }

  /** The rows of `Show data` by cell, with numbers as numbers. */
  async rows(name) {
    if (!(await this.table(name).isVisible())) await (await this.menuItem(name, 'Show data')).click();
    await expect(this.table(name)).toBeVisible();
    const cells = await this.table(name)
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('[data-value]')].map((cell) => cell.dataset.value)));
    return cells.map((row) => row.map(number));
  }

  /** The column names of `Show data`. */
  async columns(name) {
    return this.table(name).getByRole('columnheader').allInnerTexts();
  }

  /** Chooses a value of a select filter. */
  async choose(filter, value) {
    await this.filters.getByRole('combobox', { name: filter, exact: true }).click();
    await this.surface.getByRole('option', { name: new RegExp(`^${value}\\b`) }).click();
    await this.surface.locator('body').press('Escape');
  }
}
