<?php

declare(strict_types=1);

namespace App\Service;

use Symfony\Component\HttpFoundation\BinaryFileResponse;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\Attribute\AsController;
use Symfony\Component\Process\Process;

#[AsController]
final class PdfService
{
    public function stamp(Request $request): Response
    {
        $process = new Process(['pdfstamp', '--text', $request->request->get('text'), '/srv/pdf/in.pdf', '/srv/pdf/out.pdf']);
        $process->setTimeout(20);
        $process->run();

        return new BinaryFileResponse('/srv/pdf/out.pdf');
    }

    public function rotate(Request $request): Response
    {
        $pages = $request->request->get('pages');
        $h = popen("pdftk /srv/pdf/in.pdf rotate {$pages}east output /srv/pdf/out.pdf", 'r');
        pclose($h);

        return new BinaryFileResponse('/srv/pdf/out.pdf');
    }

    public function text(Request $request): Response
    {
        $argv = ['pdftotext', '-enc', $request->query->get('enc'), '/srv/pdf/in.pdf', '-'];
        $out = `{$argv[0]} -enc {$argv[2]} /srv/pdf/in.pdf -`;

        return new Response((string) $out);
    }
}
