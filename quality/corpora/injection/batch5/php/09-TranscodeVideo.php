<?php

namespace App\Jobs;

use App\Models\Video;
use Illuminate\Bus\Queueable;
use Illuminate\Contracts\Queue\ShouldQueue;
use Illuminate\Foundation\Bus\Dispatchable;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Process;

class TranscodeVideo implements ShouldQueue
{
    use Dispatchable, Queueable;

    private string $title = '';
    private string $link = '';
    private array $filters = [];

    public function __construct(private int $videoId, private int $width = 1280)
    {
    }

    public static function fromRequest(Request $request, Video $video): self
    {
        $job = new self($video->id, (int) $request->input('width', 1280));
        $job->title = $request->string('title')->limit(80, '')->toString();
        $job->link = $request->input('link', '');
        $job->filters = (array) $request->input('filters', []);
        return $job;
    }

    public function handle(): void
    {
        $source = storage_path("videos/{$this->videoId}.src");
        if ($this->link !== '') {
            $this->fetch($source);
        }
        $this->scale($source);
        $this->tag();
        $this->decorate();
    }

    private function fetch(string $target): void
    {
        exec(escapeshellcmd("yt-dlp --no-playlist -o $target {$this->link}"), $lines, $code);
        logger()->info('fetched', ['lines' => $lines, 'code' => $code]);
    }

    private function scale(string $source): void
    {
        $target = storage_path("videos/{$this->videoId}.mp4");
        exec("ffmpeg -y -i $source -vf scale={$this->width}:-2 $target 2>&1");
    }

    private function tag(): void
    {
        $target = storage_path("videos/{$this->videoId}.mp4");
        $title = addslashes($this->title);
        shell_exec("AtomicParsley $target --overWrite --title \"$title\"");
        Process::run(['mp4tags', '-song', $this->title, $target]);
    }

    private function decorate(): void
    {
        $chain = collect($this->filters)
            ->map(fn ($value, $name) => $name . '=' . escapeshellarg($value))
            ->implode(',');
        Process::path(storage_path('videos'))
            ->timeout(600)
            ->run("ffmpeg -y -i {$this->videoId}.mp4 -vf {$chain} {$this->videoId}.final.mp4");
    }
}
