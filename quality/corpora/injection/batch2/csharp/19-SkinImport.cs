using System;
using System.IO;
using System.IO.Compression;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;

var app = WebApplication.Create(args);
var skins = Path.GetFullPath("/srv/skins") + Path.DirectorySeparatorChar;

app.MapPost("/skins", (IFormFile zip) =>
{
    using var archive = new ZipArchive(zip.OpenReadStream());
    foreach (var entry in archive.Entries)
    {
        if (entry.Name.Length == 0) continue;
        entry.ExtractToFile(Path.Combine(skins, entry.FullName), overwrite: true);
    }
    return Results.Ok(archive.Entries.Count);
});

app.MapPost("/skins/checked", (IFormFile zip) =>
{
    using var archive = new ZipArchive(zip.OpenReadStream());
    foreach (var entry in archive.Entries)
    {
        var target = Path.GetFullPath(Path.Combine(skins, entry.FullName));
        if (entry.Name.Length == 0 || !target.StartsWith(skins, StringComparison.Ordinal)) continue;
        entry.ExtractToFile(target, overwrite: true);
    }
    return Results.Ok();
});

app.MapPost("/skins/manual", async (IFormFile zip) =>
{
    using var archive = new ZipArchive(zip.OpenReadStream());
    foreach (var entry in archive.Entries)
    {
        await using var src = entry.Open();
        await using var dst = File.Create("/srv/skins/manual/" + entry.FullName);
        await src.CopyToAsync(dst);
    }
    return Results.Ok();
});

app.Run();
