// Accessibility checks with axe.
import axe from 'axe-core';

/** Waits for short animations to end: a menu that fades in has less contrast. */
async function appeared(page) {
  await page.evaluate(() => {
    const short = document.getAnimations().filter(({ effect }) => Number(effect?.getComputedTiming().endTime) <= 1000);
    const all = Promise.allSettled(short.map(({ finished }) => finished));
    return Promise.race([all, new Promise((done) => setTimeout(done, 2000))]);
  });
}

/** The serious and critical findings on a page, one line each. */
export async function serious(page) {
  await appeared(page);
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target.join(' ')} ${node.any[0]?.message ?? ''}`).join(' | ')}`);
}
