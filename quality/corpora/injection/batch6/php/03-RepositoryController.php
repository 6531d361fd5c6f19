<?php

declare(strict_types=1);

namespace App\Controller;

use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Component\HttpFoundation\JsonResponse;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpKernel\Exception\BadRequestHttpException;
use Symfony\Component\Process\Process;
use Symfony\Component\Routing\Attribute\Route;

#[Route('/repo')]
final class RepositoryController extends AbstractController
{
    private const ROOT = '/srv/checkout';

    #[Route('/fetch', methods: ['POST'])]
    public function fetch(Request $request): JsonResponse
    {
        $payload = $request->toArray();
        $process = new Process(['git', 'fetch', 'origin', $payload['branch']], self::ROOT);
        $process->run();

        return $this->json(['out' => $process->getOutput()]);
    }

    #[Route('/log', methods: ['GET'])]
    public function log(Request $request): JsonResponse
    {
        $process = new Process(
            ['git', 'log', '--oneline', '--author=' . $request->query->get('author', ''), '--', $request->query->get('path', '.')],
            self::ROOT,
        );
        $process->mustRun();

        return $this->json(['log' => explode("\n", $process->getOutput())]);
    }

    #[Route('/commit', methods: ['POST'])]
    public function commit(Request $request): JsonResponse
    {
        $message = addslashes((string) $request->request->get('message'));
        $process = Process::fromShellCommandline('git add -A && git commit -m "' . $message . '"', self::ROOT);
        $process->run();

        return $this->json(['code' => $process->getExitCode()]);
    }

    #[Route('/tag/{version}', requirements: ['version' => '\d+\.\d+\.\d+'], methods: ['POST'])]
    public function tag(string $version): JsonResponse
    {
        $process = Process::fromShellCommandline("git tag v$version && git push origin v$version", self::ROOT);
        $process->run();

        return $this->json(['code' => $process->getExitCode()]);
    }

    #[Route('/grep', methods: ['GET'])]
    public function grep(Request $request): JsonResponse
    {
        $word = $request->query->get('word');
        if (!$word) {
            throw new BadRequestHttpException('word is missing');
        }
        $process = Process::fromShellCommandline('git grep -n -e "$WORD" | head -50', self::ROOT);
        $process->run(null, ['WORD' => $word]);

        return $this->json(['hits' => explode("\n", trim($process->getOutput()))]);
    }
}
