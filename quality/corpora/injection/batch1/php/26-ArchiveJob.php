<?php

namespace App\Jobs;

use Illuminate\Bus\Queueable;
use Illuminate\Contracts\Queue\ShouldQueue;
use Illuminate\Http\Request;
use Symfony\Component\Process\Process;

class ArchiveJob implements ShouldQueue
{
    use Queueable;

    public function __construct(private string $comment, private string $target)
    {
    }

    public static function fromRequest(Request $r): self
    {
        return new self($r->input('comment'), $r->input('target'));
    }

    public function handle(): void
    {
        $p = new Process(['zip', '-r', '/srv/out.zip', '/srv/data', '--comment=' . $this->comment]);
        $p->mustRun();

        Process::fromShellCommandline('mv /srv/out.zip /srv/zips/' . $this->target)->mustRun();

        $pipes = [];
        proc_close(proc_open(['touch', '/srv/done'], [], $pipes));
    }
}
