using System.IO;
using System.IO.Compression;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;

var app = WebApplication.Create(args);
const string Target = "/srv/themes";

app.MapPost("/themes", (IFormFile zip) =>
{
    using var archive = new ZipArchive(zip.OpenReadStream());
    foreach (var entry in archive.Entries)
    {
        if (entry.FullName.EndsWith('/'))
            continue;
        entry.ExtractToFile(Path.Combine(Target, entry.FullName), true);
    }
    return Results.Ok();
});

app.MapPost("/themes/checked", (IFormFile zip) =>
{
    var root = Path.GetFullPath(Target) + Path.DirectorySeparatorChar;
    using var archive = new ZipArchive(zip.OpenReadStream());
    foreach (var entry in archive.Entries)
    {
        var full = Path.GetFullPath(Path.Combine(root, entry.FullName));
        if (!full.StartsWith(root, System.StringComparison.Ordinal))
            return Results.BadRequest(entry.FullName);
        entry.ExtractToFile(full, true);
    }
    return Results.Ok();
});

app.MapPost("/themes/readme", (IFormFile readme) =>
{
    using var fs = File.Create(Path.Combine(Target, readme.FileName));
    readme.CopyTo(fs);
    return Results.Ok();
});

app.Run();
