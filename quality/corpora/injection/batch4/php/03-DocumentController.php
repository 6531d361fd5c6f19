<?php

namespace App\Controller;

use Psr\Log\LoggerInterface;
use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Component\HttpFoundation\BinaryFileResponse;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\Process\Process;
use Symfony\Component\Routing\Attribute\Route;

final class DocumentController extends AbstractController
{
    public function __construct(
        private readonly string $storage,
        private readonly LoggerInterface $logger,
    ) {
    }

    #[Route('/documents/{id}/pdf', requirements: ['id' => '\d+'], methods: ['GET'])]
    public function pdf(string $id): Response
    {
        return new BinaryFileResponse($this->storage . '/pdf/' . $id . '.pdf');
    }

    #[Route('/documents/{id}/render', requirements: ['id' => '\d+'], methods: ['POST'])]
    public function render(string $id, Request $request): Response
    {
        $process = Process::fromShellCommandline(
            'pandoc --metadata=title:"${:TITLE}" "${:SOURCE}" -o "${:TARGET}" 2>/dev/null'
        );
        $process->run(null, [
            'TITLE' => (string) $request->request->get('title', 'Untitled'),
            'SOURCE' => $this->source($id),
            'TARGET' => $this->storage . '/pdf/' . $id . '.pdf',
        ]);
        return $this->finish($process);
    }

    #[Route('/documents/{id}/convert', requirements: ['id' => '\d+'], methods: ['POST'])]
    public function convert(string $id, Request $request): Response
    {
        $format = $request->request->get('format', 'html');
        $command = implode(' ', ['pandoc', escapeshellarg($this->source($id)), '-t', $format]);
        $process = Process::fromShellCommandline($command);
        $process->run();
        return $this->finish($process);
    }

    #[Route('/documents/{id}/preview', requirements: ['id' => '\d+'], methods: ['POST'])]
    public function preview(string $id, Request $request): Response
    {
        $options = $request->request->all('options');
        $process = new Process(['pandoc', $this->source($id), ...array_values($options)]);
        $process->run();
        return $this->finish($process);
    }

    #[Route('/attachments', methods: ['GET'])]
    public function attachment(Request $request): Response
    {
        $file = new \SplFileInfo($this->storage . '/attachments/' . $request->query->get('path'));
        return $this->file($file);
    }

    private function source(string $id): string
    {
        return sprintf('%s/source/%d.md', $this->storage, $id);
    }

    private function finish(Process $process): Response
    {
        $this->logger->info('pandoc finished', ['exit' => $process->getExitCode()]);
        return new Response($process->getOutput(), $process->isSuccessful() ? 200 : 500);
    }
}
