<?php

namespace App\Jobs;

use Illuminate\Bus\Queueable;
use Illuminate\Contracts\Queue\ShouldQueue;
use Illuminate\Foundation\Bus\Dispatchable;
use Illuminate\Queue\InteractsWithQueue;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;
use Illuminate\Support\Facades\File;
use Illuminate\Support\Facades\Process;
use Illuminate\Support\Str;

class ProcessGlacierSurvey implements ShouldQueue
{
    use Dispatchable, InteractsWithQueue, Queueable;

    public int $tries = 2;

    private function __construct(
        private string $glacier,
        private string $projection,
        private string $raster,
        private mixed $year,
    ) {
    }

    public static function fromRequest(Request $request): self
    {
        return new self(
            $request->string('glacier'),
            $request->input('projection', 'EPSG:3413'),
            $request->input('raster'),
            $request->input('year'),
        );
    }

    public function handle(): void
    {
        $work = storage_path('surveys/' . Str::slug($this->glacier));
        File::ensureDirectoryExists($work);

        $warp = Process::path($work)->run("gdalwarp -t_srs {$this->projection} input.tif warped.tif");
        if ($warp->failed()) {
            $this->fail($warp->errorOutput());
            return;
        }

        $shade = Process::path($work)->run(['gdaldem', 'hillshade', 'warped.tif', Str::slug($this->glacier) . '.tif']);

        $this->record($shade->exitCode());
        $this->attachNotes($work);
    }

    private function record(?int $exit): void
    {
        $year = intval($this->year);
        DB::statement("CREATE TABLE IF NOT EXISTS surveys_$year PARTITION OF surveys FOR VALUES IN ($year)");
        DB::insert('INSERT INTO surveys (glacier, year, exit_code) VALUES (?, ?, ?)', [
            $this->glacier,
            $year,
            $exit,
        ]);
        DB::unprepared("UPDATE glaciers SET surveyed = now() WHERE name = '" . str_replace('"', '', $this->glacier) . "'");
    }

    private function attachNotes(string $work): void
    {
        $notes = preg_replace('/\.tiff?$/', '.txt', $this->raster);
        $source = '/mnt/rasters/' . $notes;
        File::copy($source, $work . '/notes.txt');
    }
}
