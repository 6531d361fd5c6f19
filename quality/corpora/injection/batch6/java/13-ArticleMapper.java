package com.acme.blog;

import java.util.List;
import java.util.Map;
import org.apache.ibatis.annotations.Delete;
import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@Mapper
interface ArticleMapper {

    @Select("SELECT id, title FROM article WHERE published ORDER BY ${sort}")
    List<Map<String, Object>> published(@Param("sort") String sort);

    @Select("SELECT id, title FROM article WHERE author = #{author} ORDER BY id")
    List<Map<String, Object>> byAuthor(@Param("author") String author);

    @Select("SELECT id, title FROM article ORDER BY ${column} DESC")
    List<Map<String, Object>> top(@Param("column") String column);

    @Select("SELECT a.id, a.title FROM article a JOIN tag t ON t.article_id = a.id WHERE t.name = '${tag}'")
    List<Map<String, Object>> tagged(@Param("tag") String tag);

    @Delete("DELETE FROM article WHERE id = #{id} AND author = #{author}")
    int remove(@Param("id") long id, @Param("author") String author);
}

enum Top {
    VIEWS("view_count"),
    LIKES("like_count"),
    COMMENTS("comment_count");

    final String column;

    Top(String column) {
        this.column = column;
    }
}

@RestController
@RequestMapping("/articles")
class ArticleController {

    private final ArticleMapper mapper;

    ArticleController(ArticleMapper mapper) {
        this.mapper = mapper;
    }

    @GetMapping
    List<Map<String, Object>> published(@RequestParam(defaultValue = "id") String sort) {
        return mapper.published(sort);
    }

    @GetMapping("/author/{author}")
    List<Map<String, Object>> author(@PathVariable String author) {
        return mapper.byAuthor(author);
    }

    @GetMapping("/top")
    List<Map<String, Object>> top(@RequestParam Top by) {
        return mapper.top(by.column);
    }

    @GetMapping("/tag/{tag}")
    List<Map<String, Object>> tag(@PathVariable String tag) {
        if (tag.isBlank() || tag.length() > 80) {
            return List.of();
        }
        return mapper.tagged(tag.strip());
    }

    @DeleteMapping("/{id}")
    int remove(@PathVariable long id, @RequestParam String author) {
        return mapper.remove(id, author);
    }
}
