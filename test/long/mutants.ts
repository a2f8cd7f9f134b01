// Compiles patched sources (the twin, unless told otherwise), each mutant in a folder of its own: what a battery must see,
// and what it may not miss. Imported by the mutant tests.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import type { Kernel } from '../../src/kernel/index.ts';

const root = resolve(import.meta.dirname, '../..');

export type Patch = readonly [file: string, from: string, to: string];
export type Mutant = readonly [name: string, patches: readonly Patch[]];

export interface Workshop {
  /** The twin with the patches applied; throws when a patch does not fit exactly once. */
  compile(name: string, patches: readonly Patch[]): Promise<() => Kernel>;
  /** Removes all that was compiled. */
  close(): void;
}

export function openWorkshop(): Workshop {
  const { compile, close } = openModules<{ twinKernel: () => Kernel }>('src/kernel/twin.ts');
  return { close, compile: async (name, patches) => (await compile(name, patches)).twinKernel };
}

/** Any source file as a module, with all that it imports, patched. */
export function openModules<Module>(entry: string): {
  compile(name: string, patches: readonly Patch[]): Promise<Module>;
  close(): void;
} {
  const work = mkdtempSync(join(tmpdir(), 'navguard-mutants-'));
  symlinkSync(join(root, 'node_modules'), join(work, 'node_modules'));
  const files = sources(entry);
  const plain = new Map<string, string>();
  return {
    close: () => rmSync(work, { recursive: true, force: true }),
    async compile(name, patches) {
      const stray = patches.find(([file]) => !files.includes(file));
      if (stray !== undefined) throw new Error(`${entry} does not import ${stray[0]}`);
      const folder = join(work, name.replaceAll(/\W+/g, '-'));
      for (const file of files) {
        let text = patches.some(([target]) => target === file) ? undefined : plain.get(file);
        if (text === undefined) {
          const source = patched(file, patches);
          text = transpiled(source);
          if (!patches.some(([target]) => target === file)) plain.set(file, text);
        }
        const to = join(folder, file.replace(/\.ts$/, '.js'));
        mkdirSync(dirname(to), { recursive: true });
        writeFileSync(to, text);
      }
      writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
      const url = pathToFileURL(join(folder, entry.replace(/\.ts$/, '.js'))).href;
      return (await import(/* @vite-ignore */ url)) as Module;
    },
  };
}

function transpiled(source: string): string {
  return ts.transpileModule(source, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      rewriteRelativeImportExtensions: true,
      verbatimModuleSyntax: true,
    },
  }).outputText;
}

/** A file and all that it imports, found by import lines. */
function sources(entry: string): string[] {
  const found = new Set<string>();
  const visit = (file: string): void => {
    if (found.has(file)) return;
    found.add(file);
    const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), 'utf8'));
    for (const { fileName } of importedFiles) {
      if (fileName.startsWith('.')) visit(relative(root, resolve(root, dirname(file), fileName)).replaceAll('\\', '/'));
    }
  };
  visit(entry);
  return [...found].filter((file) => !file.endsWith('.d.ts'));
}

function patched(file: string, patches: readonly Patch[]): string {
  let text = readFileSync(join(root, file), 'utf8');
  for (const [target, from, to] of patches) {
    if (target !== file) continue;
    const fits = text.split(from).length - 1;
    if (fits !== 1) throw new Error(`${file}: the patch must fit once, it fits ${fits} times: ${from}`);
    text = text.replace(from, () => to);
  }
  return text;
}
