using System.Diagnostics;
using System.IO;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;

var builder = WebApplication.CreateBuilder(args);
var app = builder.Build();

app.MapPost("/labels", async (IFormFile label) =>
{
    var path = Path.Combine("/srv/labels", label.FileName);
    await using (var fs = new FileStream(path, FileMode.CreateNew))
    {
        await label.CopyToAsync(fs);
    }
    Process.Start("/bin/sh", $"-c \"lp -d zebra-1 '/srv/labels/{label.FileName}'\"");
    return Results.Created("/labels", null);
});

app.MapPost("/logos", async (IFormFile logo) =>
{
    var ext = Path.GetExtension(logo.FileName).ToLowerInvariant();
    if (ext is not (".png" or ".svg"))
    {
        return Results.BadRequest();
    }
    var path = Path.Combine("/srv/logos", Path.GetRandomFileName() + ext);
    await using var fs = File.Create(path);
    await logo.CopyToAsync(fs);
    return Results.Ok(Path.GetFileName(path));
});

app.Run();
