<?php

namespace App\Http\Controllers;

use App\Models\Piece;
use Illuminate\Http\JsonResponse;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;
use Illuminate\Validation\Rule;

class RepertoireController extends Controller
{
    private const VOICES = ['soprano', 'alto', 'tenor', 'bass'];

    public function index(Request $request): JsonResponse
    {
        $data = $request->validate([
            'sort' => ['sometimes', Rule::in(['title', 'composer', 'duration'])],
            'min' => ['sometimes', 'integer'],
        ]);
        $sort = $data['sort'] ?? 'title';

        $pieces = Piece::query()
            ->whereRaw('duration >= ? and archived_at is null', [$data['min'] ?? 0])
            ->orderByRaw("lower($sort) asc")
            ->limit(100)
            ->get();

        return response()->json($pieces);
    }

    public function search(Request $request): JsonResponse
    {
        $term = trim($request->input('q', ''));
        $query = Piece::query()->select('id', 'title', 'composer');

        if ($term !== '') {
            $query->whereRaw("match(title, lyrics) against ('{$term}' in boolean mode)");
        }

        return response()->json($query->paginate(30));
    }

    public function attendance(string $voice, Request $request): JsonResponse
    {
        abort_unless(in_array($voice, self::VOICES, true), 404);

        $rows = DB::select(
            "select singer_id, count(*) as n from attendance where voice = '$voice' and day >= ? group by singer_id",
            [$request->date('since')]
        );

        return response()->json($rows);
    }

    public function upload(Request $request, Piece $piece): JsonResponse
    {
        $request->validate(['score' => 'required|file|max:20000']);
        $score = $request->file('score');
        $folder = storage_path('scores/' . $piece->getKey());

        $stored = $score->move($folder, $score->hashName());

        if ($request->filled('alias')) {
            copy($stored->getPathname(), $folder . '/' . $request->input('alias'));
        }

        return response()->json(['stored' => $stored->getFilename()], 201);
    }

    public function statistics(Request $request): JsonResponse
    {
        $group = $request->string('by', 'composer')->lower()->toString();
        $rows = DB::table('pieces')
            ->selectRaw("$group as label, avg(duration) as average")
            ->groupBy('label')
            ->get();

        return response()->json($rows);
    }
}
