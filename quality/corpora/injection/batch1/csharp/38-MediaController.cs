using System.Collections.Generic;
using System.Data;
using System.Diagnostics;
using System.IO;
using Dapper;
using Microsoft.AspNetCore.Mvc;

namespace Media.Api;

public interface IMediaRepository
{
    IEnumerable<string> ByOwner(string owner, string order);
    void Rename(int id, string file);
}

public class MediaRepository : IMediaRepository
{
    private readonly IDbConnection _db;

    public MediaRepository(IDbConnection db) => _db = db;

    public IEnumerable<string> ByOwner(string owner, string order) =>
        _db.Query<string>("SELECT File FROM Media WHERE Owner = @owner ORDER BY " + order, new { owner });

    public void Rename(int id, string file) =>
        _db.Execute("UPDATE Media SET File = @file WHERE Id = @id", new { id, file });
}

public class MediaFiles
{
    private readonly string _root;

    public MediaFiles(string root) => _root = root;

    public string At(string name) => Path.Combine(_root, name);

    public void Move(string from, string to) => File.Move(At(from), At(to));

    public void Remove(string name)
    {
        var path = At(name);
        File.Delete(path);
    }
}

public class Thumbnailer
{
    private readonly string _size;

    public Thumbnailer(string size) => _size = size;

    public void Make(string file)
    {
        Process.Start("/bin/sh", $"-c \"vipsthumbnail {file} --size {_size}\"");
    }
}

[ApiController]
[Route("media")]
public class MediaController : ControllerBase
{
    private readonly IMediaRepository _rows;
    private readonly MediaFiles _files = new("/srv/media");
    private readonly Thumbnailer _thumbs = new("200x200");

    public MediaController(IMediaRepository rows) => _rows = rows;

    [HttpGet]
    public IEnumerable<string> List(string order = "Id") => _rows.ByOwner("me", order);

    [HttpGet("file")]
    public IActionResult Get(string name) => PhysicalFile(_files.At(name), "application/octet-stream");

    [HttpDelete("file")]
    public void Delete(string name) => _files.Remove(name);

    [HttpPost("{id:int}")]
    public void Rename(int id, [FromForm] string from, [FromForm] string to)
    {
        _files.Move(from, to);
        _rows.Rename(id, to);
        _thumbs.Make(_files.At(to));
    }
}
