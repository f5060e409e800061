// The documentation is correct: its commands run, its snippets compile, its links work, and it lists everything that exists.
import { access, readFile } from 'node:fs/promises';
import { COMPILERS } from '../support/compilers.js';
import { Dashboard } from '../support/dashboard.js';
import { blocks, pages, Session } from '../support/docs.js';
import { expect, hydrated, test } from '../support/fixtures.js';

const ALL = await pages();
const source = (path) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
const page = async (name) => ALL.find((one) => one.name === name).text;
/** The pages that the service shows below /docs. Others are for readers of the sources. */
const GUIDE_NAMES = [...(await source('src/faces/docs/guide.rs')).matchAll(/^ {4}\("([a-z/-]+)", "/gm)].map(([, name]) => name);
const file = (name) => (ALL.some((one) => one.name === `${name}/README.md`) ? `${name}/README.md` : `${name}.md`);
const GUIDES = GUIDE_NAMES.map(file);
const runs = ({ flags }) => flags.run || flags.file || flags.stop;

for (const one of ALL.filter(({ name }) => GUIDES.includes(name))) {
  const found = blocks(one);
  if (found.some(runs)) {
    test(`the commands of ${one.name} run`, async ({ page: tab }) => {
      test.setTimeout(180_000);
      const session = await Session.start({ postgres: one.name === 'operating.md' });
      try {
        for (const block of found.filter(runs)) await session.run(block);
        if (one.name === 'quick-start.md') await quickStartShows(tab, session);
      } finally {
        await session.stop();
      }
    });
  }
  for (const block of found.filter((other) => !runs(other) || other.flags.file)) {
    if (block.language === 'rust') continue;
    const compiler = COMPILERS[block.language];
    // A language is checked if its compiler is installed. docs/status.md says which were not.
    if (compiler?.available && !compiler.available()) continue;
    test(`the ${block.language} at ${one.name}:${block.line} is read`, async () => {
      test.setTimeout(240_000);
      expect(compiler, 'a language that nobody checks').toBeDefined();
      await compiler.check(block.text);
    });
  }
}

/** The result at the end of the quick start. */
async function quickStartShows(tab, session) {
  await tab.goto(`http://localhost:${session.port('4000')}`);
  const frame = await (await tab.locator('iframe').elementHandle()).contentFrame();
  await hydrated(frame);
  const dashboard = new Dashboard(frame);
  await dashboard.drawn();
  expect(await dashboard.rows('Revenue')).toEqual([[41_440]]);
}

test('every guide is a page', () => {
  expect(GUIDES.length).toBeGreaterThan(8);
  expect(GUIDES.filter((name) => !ALL.some((one) => one.name === name))).toEqual([]);
});

test('the service shows every guide, each linked from the reference', async ({ request, service }) => {
  const reference = await (await request.get(`${service.url}/docs`)).text();
  for (const path of GUIDE_NAMES.map((name) => `/docs/${name}`)) {
    expect(reference, path).toContain(`href="${path}"`);
    const answer = await request.get(service.url + path);
    expect([answer.status(), answer.headers()['content-type']], path).toEqual([200, 'text/html; charset=utf-8']);
    const targets = [...(await answer.text()).matchAll(/href="(\/docs[^"#]*)/g)].map(([, target]) => target);
    for (const target of new Set(targets)) expect((await request.get(service.url + target)).status(), target).toBe(200);
  }
});

test('links lead to files that are there, and to headings', async () => {
  const broken = [];
  for (const { name, text } of ALL) {
    for (const [, target] of text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
      const [path, heading] = target.split('#');
      const from = new URL(`../../docs/${name}`, import.meta.url);
      const url = path ? new URL(path, from) : from;
      const there = await access(url).then(
        () => true,
        () => false,
      );
      const titled =
        !heading ||
        (await readFile(url, 'utf8')).split('\n').some(
          (line) =>
            /^#+ /.test(line) &&
            line
              .replace(/^#+ /, '')
              .toLowerCase()
              .replaceAll(/[^\w -]/g, '')
              .replaceAll(' ', '-') === heading,
        );
      if (!there || !titled) broken.push(`${name}: ${target}`);
    }
  }
  expect(broken).toEqual([]);
});

test('every message of the bridge is told', async () => {
  const told = await page('pages.md');
  const messages = new Set((await source('crates/contract/src/frame/message.rs')).match(/embed:[a-z-]+/g));
  expect([...messages].filter((message) => !told.includes(`\`${message}\``))).toEqual([]);
  expect(messages.size).toBeGreaterThan(7);
});

test('every option, event and method of the page script is told', async () => {
  const told = await page('hosting-an-embed.md');
  const types = await source('sdk/page/types/inlay.d.ts');
  const parts = ['Page', 'Options', 'Embed'].map((name) => new RegExp(`interface ${name}\\b.*?\\n}`, 's').exec(types)[0]);
  const names = parts.flatMap((part) => [...part.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]/gm)].map(([, name]) => name));
  expect(names.filter((name) => !new RegExp(`\`${name}\\b|\`[^\`]*\\b${name}\\b`).test(told))).toEqual([]);
  expect(names.length).toBeGreaterThan(20);
});
