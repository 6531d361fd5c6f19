import { createLockedPackage, type LockedPackage, mergeDuplicates } from './locked-package.ts';

/**
 * Configurations of tests, and of tools that a build runs (plugins of Gradle, Android and Kotlin): `testRuntimeClasspath`,
 * `debugAndroidTestCompileClasspath`, `kapt`, `jacocoAnt`.
 */
const DEVELOPMENT_CONFIGURATION =
  /^test[A-Z]|Test(?:Compile|Runtime|AnnotationProcessor|Implementation)|[aA]nnotationProcessor(?:Classpath)?$|^(?:kapt|ksp|kotlin(?:Build|Compiler|Klib|Native)|jacoco(?:Agent|Ant)$|checkstyle$|pmd(?:Aux)?$|codenarc$|spotbugs|detekt|ktlint|lintChecks)/;

/** `gradle.lockfile`; lines of another form are skipped. `buildscript-gradle.lockfile` has what the build itself runs. */
export function readGradleLock(text: string, isOfBuild: boolean): LockedPackage[] {
  return mergeDuplicates(
    text.split(/\r?\n/).flatMap((line, index) => {
      const [, group, artifact, version, configurations] =
        /^\s*([^\s#:=]+):([^\s:=]+):([^\s:=]+)=(\S*)/.exec(line) ?? [];
      if (group === undefined) return [];
      const isDev =
        isOfBuild || configurations!.split(',').every((configuration) => DEVELOPMENT_CONFIGURATION.test(configuration));
      return [
        createLockedPackage({
          name: `${group}:${artifact}`,
          version: version!,
          ecosystem: 'Maven',
          ways: isDev ? [['dev']] : [],
          line: index + 1,
        }),
      ];
    }),
  );
}
