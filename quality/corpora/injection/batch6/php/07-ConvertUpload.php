<?php

namespace App\Jobs;

use Illuminate\Bus\Queueable;
use Illuminate\Contracts\Queue\ShouldQueue;
use Illuminate\Foundation\Bus\Dispatchable;
use Illuminate\Http\Request;
use Illuminate\Queue\InteractsWithQueue;
use Illuminate\Support\Facades\Log;

class ConvertUpload implements ShouldQueue
{
    use Dispatchable, InteractsWithQueue, Queueable;

    public int $tries = 3;

    public function __construct(
        private string $stored,
        private string $original,
        private string $album,
        private int $quality,
    ) {
    }

    public static function fromRequest(Request $request): void
    {
        $file = $request->file('picture');
        self::dispatch(
            $file->hashName(),
            $request->input('title', 'picture'),
            $request->input('album', 'inbox'),
            (int) $request->input('quality', 80),
        );
        $file->move('/srv/photos/inbox', $file->hashName());
    }

    public function handle(): void
    {
        $source = '/srv/photos/inbox/' . basename($this->stored);
        $target = '/srv/photos/web/' . md5($this->stored) . '.webp';

        exec("cwebp -q {$this->quality} " . escapeshellarg($source) . ' -o ' . $target, $out, $code);
        if ($code !== 0) {
            Log::warning('cwebp failed', ['code' => $code]);
            $this->release(30);
            return;
        }

        $this->label($target);
        $this->publish($target);
    }

    private function label(string $target): void
    {
        $title = str_replace("'", '', $this->original);
        $line = sprintf("exiftool -overwrite_original -Title='%s' %s", $title, $target);
        exec($line);

        $comment = str_replace('"', '', $this->original);
        exec('exiftool -overwrite_original -Comment="' . $comment . '" ' . $target);
    }

    private function publish(string $target): void
    {
        $folder = '/srv/photos/albums/' . $this->album;
        if (!is_dir($folder)) {
            mkdir($folder, 0755, true);
        }
        copy($target, $folder . '/' . basename($target));
    }
}
