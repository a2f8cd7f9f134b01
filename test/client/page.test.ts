// The built client in a real page: dist/src/client as it is shipped, loaded as plain modules by a headless Chromium, plays
// what Node plays, bit for bit. Runs where a Chromium is: NAVGUARD_CHROMIUM, or one on the PATH.
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Played, play } from './scenario.ts';

const built = join(import.meta.dirname, '../../dist/src/client');
const SEEDS = 4;

/** The browser to use; undefined when there is none. One that is named is used, broken or not. */
function browserPath(): string | undefined {
  const named = process.env.NAVGUARD_CHROMIUM;
  if (named) return named;
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
      const path = join(folder, name);
      try {
        accessSync(path, constants.X_OK);
        return path;
      } catch {
        // not here
      }
    }
  }
  return undefined;
}

const executablePath = browserPath();

test('what is shipped for older engines has no newer syntax', () => {
  const files = readdirSync(built).filter((name) => name.endsWith('.js'));
  expect(files.length).toBeGreaterThan(8);
  for (const name of files) {
    const text = readFileSync(join(built, name), 'utf8');
    const { diagnostics } = ts.transpileModule(text, {
      reportDiagnostics: true,
      compilerOptions: { target: ts.ScriptTarget.ES2020, module: ts.ModuleKind.ESNext, allowJs: true },
    });
    expect(diagnostics).toEqual([]);
    // private names, class fields and static blocks came in 2022, logical assignment in 2021
    const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    expect([name, code.match(/#[a-zA-Z]|\?\?=|\|\|=|&&=|static \{|^ {4}[a-zA-Z]+;$/gm)]).toEqual([name, null]);
    expect([name, code.match(/\b(?:require|process|Buffer|window|document|globalThis)\b|node:/g)]).toEqual([
      name,
      null,
    ]);
  }
});

if (executablePath !== undefined) {
  describe('in a page', () => {
    let server: Server;
    let origin = '';

    beforeAll(async () => {
      const scenario = ts.transpileModule(readFileSync(join(import.meta.dirname, 'scenario.ts'), 'utf8'), {
        compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
      }).outputText;
      server = createServer((request, response) => {
        const path = request.url ?? '/';
        const module = /^\/client\/([a-z]+\.js)$/.exec(path);
        const found = module !== null && existsSync(join(built, module[1]));
        const script = found ? readFileSync(join(built, module[1]), 'utf8') : path === '/scenario.js' ? scenario : null;
        if (script === null && path !== '/') {
          response.writeHead(404).end();
          return;
        }
        response.writeHead(200, { 'content-type': script === null ? 'text/html' : 'text/javascript' });
        response.end(script ?? '<!doctype html><title>client</title>');
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    afterAll(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });

    test('the built client plays as in Node, bit for bit', async () => {
      const inNode: Played[] = play(await import(`${built}/index.js`), SEEDS);
      const browser = await chromium.launch({ executablePath, args: ['--headless=new', '--no-sandbox'] });
      try {
        const page = await browser.newPage();
        const errors: string[] = [];
        page.on('pageerror', (error) => errors.push(String(error)));
        await page.goto(origin);
        const inPage = await page.evaluate(
          // as text: the modules are the page's, not this file's
          `Promise.all([import('/client/index.js'), import('/scenario.js')]).then(([client, { play }]) => play(client, ${SEEDS}))`,
        );
        expect(errors).toEqual([]);
        expect(inPage).toEqual(inNode);
        expect(inNode.length).toBe(2 * SEEDS);
        // every action was taken, and reports went out
        for (let k = 0; k < 4; k++) expect(Math.max(...inNode.map(({ counts }) => counts[k]))).toBeGreaterThan(0);
        expect(Math.max(...inNode.map(({ reports }) => reports))).toBeGreaterThan(0);
        // another game is another hash
        expect(new Set(inNode.map(({ hash }) => hash)).size).toBe(inNode.length);
      } finally {
        await browser.close();
      }
    });
  });
}

test('the sources play as what is built from them', async () => {
  expect(play(await import('../../src/client/index.ts'), 2)).toEqual(play(await import(`${built}/index.js`), 2));
});
