import { defineConfig } from 'vitest/config';

// The long property and fuzz runs: a second command with a time budget (NAVGUARD_LONG_SECONDS, default 480).
export default defineConfig({
  test: {
    include: ['test/long/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 600_000,
  },
});
